package checks.settings

# METADATA
# description: |
#   OPA fetches the keys of an issuer from inside the network, so `jwksUrl` leads it to no address of its own host and
#   to none that tells secrets of the machine, unless the issuer names that host. A name that DNS leads there
#   looks like any other.
# related_resources:
#   - https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html
#   - https://www.rfc-editor.org/rfc/rfc6890
# scope: rule
problems contains {"path": ["issuers", id, "jwksUrl"], "message": message} if {
	some id, issuer in input.settings.issuers
	is_string(issuer.jwksUrl)
	some message in _host_problems(issuer, _host(issuer.jwksUrl))
}

problems contains {"path": ["issuers", id, "internalHost"], "message": "write jwksUrl's host as it stands there"} if {
	some id, issuer in input.settings.issuers
	issuer.internalHost != _host(object.get(issuer, "jwksUrl", ""))
}

# A host whose name no two readers of URLs take for different things: without a user, escapes or backslashes.
_host(url) := lower(found[0][1]) if {
	found := regex.find_all_string_submatch_n(_url_pattern, url, 1)
	count(found) == 1
} else := ""

_url_pattern := `^https?://([0-9A-Za-z.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?(?:[/?#]|$)`

_host_problems(issuer, host) := {$"{host} is {what}: write internalHost: {json.marshal(host)} if OPA is to call it" |
	object.get(issuer, "internalHost", null) != host
	some what in _internal_descriptions(trim_suffix(host, "."))
} if {
	host != ""
} else := {"has no host as it can be read: write https://HOST/PATH"}

_internal_descriptions(host) := union({
	{what | some name, what in _description_by_internal_host; _is_or_ends_with(host, name)},
	{what | some network, what in _description_by_internal_network; net.cidr_contains(network, _ip_address(host))},
	# Of an IPv4 address in other forms (127.1, 2130706433, 0x7f000001) resolvers read what they like.
	{"no address in its usual form" | regex.match(`(^|\.)(0x[0-9a-f]*|[0-9]+)$`, host); not _ip_address(host)},
})

_ip_address(host) := host if {
	regex.match(`^(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}$`, host)
}

_ip_address(host) := trim(host, "[]") if startswith(host, "[")

_is_or_ends_with(host, name) if host == name

_is_or_ends_with(host, name) if endswith(host, $".{name}")

_description_by_internal_host := {
	"localhost": "the host of OPA itself",
	"metadata": "a service that tells about the machine",
	"metadata.google.internal": "a service that tells about the machine",
	"instance-data": "a service that tells about the machine",
}

_description_by_internal_network := {
	"0.0.0.0/8": "the host of OPA itself",
	"127.0.0.0/8": "the host of OPA itself",
	"::/127": "the host of OPA itself",
	"169.254.0.0/16": "of the link, where clouds tell about the machine",
	"fe80::/10": "of the link, where clouds tell about the machine",
	"fd00:ec2::/32": "a service that tells about the machine",
	"100.100.100.200/32": "a service that tells about the machine",
	"168.63.129.16/32": "a service that tells about the machine",
	"192.0.0.192/32": "a service that tells about the machine",
}
