package checks.settings_test

import data.checks.settings

# Without the schema, which takes most of the time and says nothing about hosts.
_key_problems(url, over) := {$"{concat(".", problem.path)}: {problem.message}" | some problem in problems} if {
	issuer := object.union({"url": "https://login.example.com", "audience": "warden", "jwksUrl": url}, over)
	document := {"rules": {}, "settings": {"callers": {}, "issuers": {"a": issuer}}, "complete": false}
	problems := settings.problems with input as document with json.match_schema as [true, []]
}

test_hosts_that_keys_may_come_from[url] if {
	some url in {
		"https://login.example.com/keys",
		"https://login.example.com:8443",
		"https://10.0.0.7/keys",
		"https://[fd12::7]:8443/keys",
		"https://localhost.example.com/keys",
		"https://metadata.example.com/keys",
		"https://login1/keys",
		"https://128.0.0.1/keys",
	}
	_key_problems(url, {}) == set()
}

test_internal_hosts[url] if {
	some url, [host, what] in {
		"https://localhost/keys": ["localhost", "the host of OPA itself"],
		"http://localhost:8080/keys": ["localhost", "the host of OPA itself"],
		"https://LOCALHOST./keys": ["localhost.", "the host of OPA itself"],
		"https://a.localhost/keys": ["a.localhost", "the host of OPA itself"],
		"http://127.0.0.1:8181/v1/data": ["127.0.0.1", "the host of OPA itself"],
		"https://127.255.0.3": ["127.255.0.3", "the host of OPA itself"],
		"https://0.0.0.0/keys": ["0.0.0.0", "the host of OPA itself"],
		"https://[::1]/keys": ["[::1]", "the host of OPA itself"],
		"https://[::]:8181/keys": ["[::]", "the host of OPA itself"],
		"https://[0:0:0:0:0:0:0:1]/keys": ["[0:0:0:0:0:0:0:1]", "the host of OPA itself"],
		"https://[::ffff:127.0.0.1]/keys": ["[::ffff:127.0.0.1]", "the host of OPA itself"],
		"https://[::FFFF:7f00:1]/keys": ["[::ffff:7f00:1]", "the host of OPA itself"],
		"https://169.254.169.254/latest?x": ["169.254.169.254", "of the link, where clouds tell about the machine"],
		"https://[fe80::1]/keys": ["[fe80::1]", "of the link, where clouds tell about the machine"],
		"https://[fd00:ec2::254]#x": ["[fd00:ec2::254]", "a service that tells about the machine"],
		"https://metadata.google.internal/keys": ["metadata.google.internal", "a service that tells about the machine"],
		"https://100.100.100.200/keys": ["100.100.100.200", "a service that tells about the machine"],
		"https://127.1/keys": ["127.1", "no address in its usual form"],
		"https://2130706433/keys": ["2130706433", "no address in its usual form"],
		"https://0x7f.0.0.1/keys": ["0x7f.0.0.1", "no address in its usual form"],
		"https://0177.0.0.1/keys": ["0177.0.0.1", "no address in its usual form"],
	}
	sentence := $"issuers.a.jwksUrl: {host} is {what}: write internalHost: {json.marshal(host)} if OPA is to call it"
	_key_problems(url, {}) == {sentence}
	_key_problems(url, {"internalHost": host}) == set()
}

test_hosts_that_cannot_be_read[url] if {
	some url in {
		"https://",
		"https:///keys",
		"https://login@169.254.169.254/keys",
		"https://login.example.com:x@127.0.0.1/keys",
		`https://login.example.com\@127.0.0.1/keys`,
		"https://127.0.0.1%2f/keys",
		"https://[fe80::1%25eth0]/keys",
		"https://lógin.example.com/keys",
	}
	_key_problems(url, {}) == {"issuers.a.jwksUrl: has no host as it can be read: write https://HOST/PATH"}
}

test_an_internal_host_that_is_not_the_urls if {
	_key_problems("https://login.example.com/keys", {"internalHost": "localhost"}) == {
		"issuers.a.internalHost: write jwksUrl's host as it stands there",
	}
	_key_problems("https://127.0.0.1/keys", {"internalHost": "localhost"}) == {
		"issuers.a.internalHost: write jwksUrl's host as it stands there",
		"issuers.a.jwksUrl: 127.0.0.1 is the host of OPA itself: write internalHost: \"127.0.0.1\" if OPA is to call it",
	}
}
