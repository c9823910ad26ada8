package kafka.rules.access

import data.kafka.model.hosts

# METADATA
# description: Whether one of the entries of a setting, fields of an ACL with their patterns, is about the ACL.
_is_listed(acl, allowed) if {
	some entry in allowed
	entry != {}
	every field, pattern in entry { _is_match(field, pattern, acl[field]) }
}

_is_match(field, pattern, value) if {
	glob.match(_comparable_text(field, pattern), null, _comparable_text(field, value))
	not _is_range_with_address_pattern(field, pattern, value)
}

_is_match("host", pattern, value) if hosts.has_host(pattern, value)

# Kafka's own words are written in either case.
_comparable_text(field, text) := upper(text) if {
	field in {"operation", "patternType", "permissionType", "resourceType"}
} else := text

# A pattern of addresses, such as 10.*, is about the text of each and not about 10.0.0.0/0.
_is_range_with_address_pattern("host", pattern, value) if {
	contains(value, "/")
	not contains(pattern, "/")
}
