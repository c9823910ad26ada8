# METADATA
# title: Hosts of ACLs
# description: |
#   What the host of an ACL stands for: every host, an address as a broker writes its peer's, or since 4.4 a range in
#   CIDR notation (KIP-1276), as org.apache.kafka.server.authorizer.internals.CidrUtils reads it.
# scope: subpackages
package kafka.model.hosts

import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   The addresses that a host stands for, one or a range: `groups` of `size` bits each, how many of all bits are given
#   (`prefix`), and how many are `open`. Undefined for * and where there is no address in it.
range_of(text) := _address_range(4, 8, _ipv4_groups(address), prefix) if {
	[address, prefix] := _ipv4_address_and_prefix(text)
} else := _address_range(6, 16, _ipv6_groups(address), prefix) if {
	[address, prefix] := _ipv6_address_and_prefix(text)
	not _is_ipv4_mapped(_ipv6_groups(address))
}

_address_range(family, size, groups, prefix) := {
	"family": $"ipv{family}",
	"size": size,
	"groups": groups,
	"prefix": prefix,
	"open": (size * count(groups)) - prefix,
}

# METADATA
# description: Whether all that the host `inner` stands for is in what the host `outer` does.
# scope: document
has_host("*", _)

has_host(outer, inner) if outer == inner

has_host(outer, inner) if {
	[around, within] := [range_of(outer), range_of(inner)]
	around.family == within.family
	around.prefix <= within.prefix
	_network_bits(around, around.prefix) == _network_bits(within, around.prefix)
}

# What of each group the prefix gives.
_network_bits(range, prefix) := [bits.rsh(group, range.size - given) |
	some i, group in range.groups
	given := min([max([prefix - (i * range.size), 0]), range.size])
]

# METADATA
# description: What Kafka refuses of a host that is to be a range; undefined where it takes it, and of all other hosts.
range_problem(text) := $"Invalid CIDR notation '{text}': {problem}" if {
	contains(text, "/")
	problem := _cidr_problem(text)
}

_cidr_problem(text) := _ipv4_cidr_problem(text) if not contains(text, ":")

_cidr_problem(text) := _ipv6_cidr_problem(text) if contains(text, ":")

_ipv4_cidr_problem(text) := $"Could not parse [{text}]" if {
	not regex.match(`^[0-9]{1,3}(\.[0-9]{1,3}){3}/[0-9]{1,2}$`, text)
} else := $"Value [{above[0]}] not in range [0,255]" if {
	above := [number |
		some digits in split(split(text, "/")[0], ".")
		number := configs.int32(digits)
		number > 255
	]
	above != []
} else := $"Value [{prefix}] not in range [0,32]" if {
	prefix := configs.int32(split(text, "/")[1])
	prefix > 32
}

_ipv6_cidr_problem(text) := $"Could not parse [{text}] - invalid prefix length" if {
	not _prefix_length(_prefix_text(text))
} else := $"Could not parse [{text}] - prefix length must be between 0 and 128" if {
	not _prefix_length(_prefix_text(text)) in numbers.range(0, 128)
} else := $"Could not parse [{address}] - not an IPv6 address" if {
	address := split(text, "/")[0]
	_is_ipv4_mapped(_ipv6_groups(address))
} else := $"Could not parse [{address}]" if {
	address := split(text, "/")[0]
	not _is_parsable_ipv6(address)
}

# The scope of an interface is the broker's own, which only it knows; a number is taken for any.
_is_parsable_ipv6(address) if {
	_ipv6_groups(address)
	not contains(address, "%")
}

_is_parsable_ipv6(address) if {
	_ipv6_groups(address)
	regex.match(`%[0-9]+\]?$`, address)
}

_prefix_text(text) := concat("/", array.slice(parts, 1, count(parts))) if parts := split(text, "/")

# As Integer.parseInt, which does not trim.
_prefix_length(digits) := configs.int32(digits) if lists.trimmed(digits) == digits

_ipv4_address_and_prefix(text) := [address, configs.int32(prefix)] if {
	[[_, address, prefix]] := regex.find_all_string_submatch_n(`^([0-9.]+)/([0-9]{1,2})$`, text, 1)
	configs.int32(prefix) <= 32
}

_ipv4_address_and_prefix(text) := [text, 32] if not contains(text, "/")

_ipv4_groups(address) := groups if {
	regex.match(`^[0-9]{1,3}(\.[0-9]{1,3}){3}$`, address)
	groups := [configs.int32(digits) | some digits in split(address, ".")]
	max(groups) <= 255
}

_ipv6_address_and_prefix(text) := [split(text, "/")[0], prefix] if {
	contains(text, "/")
	prefix := _prefix_length(_prefix_text(text))
	prefix in numbers.range(0, 128)
}

_ipv6_address_and_prefix(text) := [text, 128] if not contains(text, "/")
