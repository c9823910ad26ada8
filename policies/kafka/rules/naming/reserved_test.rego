package kafka.rules.naming_test

import data.kafka.rules.naming as family

_reserved_params := {"reservedPrefixes": ["__", "_sys"], "exempt": ["__remote_log_metadata", "__canary*"]}

_reserved_document(operation, name, is_internal) := {
	"operation": operation,
	"params": {"KFK-NAM-005": _reserved_params},
	"topic": name,
	"requested": {"internal": is_internal},
}

_reserved_violation(name, prefix) := {
	"rule": "KFK-NAM-005",
	"severity": "high",
	"message": sprintf("topic name \"%s\" begins with the reserved prefix %s", [name, prefix]),
	"fix": sprintf("choose a name that does not begin with %s; a name cannot be changed after creation", [prefix]),
	"path": ["topic"],
	"patch": [],
}

test_reserved[name] if {
	some name, prefixes in {
		"__orders": {"__"},
		"__": {"__"},
		"_system": {"_sys"},
		"_orders": set(),
		"orders__": set(),
		"": set(),
		"__remote_log_metadata": set(),
		"__remote_log_metadata2": {"__"},
		"__canary": set(),
		"__canary.eu.1": set(),
	}
	deny := family.deny with input as _reserved_document("CreateTopic", name, false)
	deny == {_reserved_violation(name, prefix) | some prefix in prefixes}
}

test_reserved_for_internal_topics if {
	deny := family.deny with input as _reserved_document("AuditTopic", "__consumer_offsets", true)
	deny == set()
}

# What is not known to be internal is a user's.
test_reserved_where_internal_is_not_known if {
	deny := family.deny with input as object.remove(
		_reserved_document("AuditTopic", "__consumer_offsets", true),
		["requested"],
	)
	deny == {_reserved_violation("__consumer_offsets", "__")}
}
