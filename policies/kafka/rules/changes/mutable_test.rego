package kafka.rules.changes_test

import data.kafka.rules.changes as family

_mutable_params := {"KFK-CHG-005": {
	"mutable": ["retention.ms"],
	"enforced": {"min.insync.replicas": "2", "cleanup.policy": "compact"},
}}

_immutable(name, after, rest) := {
	"rule": "KFK-CHG-005",
	"severity": "medium",
	"message": sprintf("%s may not be altered to %s: %s", [name, after, rest]),
	"fix": sprintf("leave %s as it is, or ask those who run the cluster to change it", [name]),
	"path": ["configs", name],
	"patch": [],
}

test_mutable[note] if {
	some note, tc in {
		"one that may be": {"before": {}, "after": {"retention.ms": "1"}, "deny": set()},
		"one that may be, removed": {"before": {"retention.ms": "1"}, "after": {}, "deny": set()},
		"one that may not be": {
			"before": {},
			"after": {"segment.ms": "1"},
			"deny": {_immutable("segment.ms", "1", "it is not one of the configs that may be")},
		},
		"one that may not be, removed": {
			"before": {"segment.ms": "1"},
			"after": {},
			"deny": {_immutable("segment.ms", "604800000", "it is not one of the configs that may be")},
		},
		"one that no one knows, removed": {
			"before": {"x.vendor": "1"},
			"after": {},
			"deny": {_immutable("x.vendor", "the brokers' default", "it is not one of the configs that may be")},
		},
		"one that may not be, and is not": {"before": {"segment.ms": "1"}, "after": {"segment.ms": "1"}, "deny": set()},
		"one that may not be, in another spelling": {
			"before": {"segment.ms": "1", "retention.bytes": "-1", "cleanup.policy": "compact,delete"},
			"after": {"segment.ms": "+01", "retention.bytes": "-5", "cleanup.policy": " delete , compact,delete"},
			"deny": set(),
		},
		"one that nobody can read, in another spelling": {
			"before": {"segment.ms": "x"},
			"after": {"segment.ms": " x"},
			"deny": {_immutable("segment.ms", "604800000", "it is not one of the configs that may be")},
		},
		"to the value that is enforced": {"before": {}, "after": {"min.insync.replicas": "2"}, "deny": set()},
		"in another spelling": {"before": {}, "after": {"min.insync.replicas": " 02"}, "deny": set()},
		"to another value": {
			"before": {},
			"after": {"min.insync.replicas": "3"},
			"deny": {_immutable("min.insync.replicas", "3", "only 2 is allowed")},
		},
		"from the value that is enforced": {
			"before": {"min.insync.replicas": "2"},
			"after": {},
			"deny": {_immutable("min.insync.replicas", "1", "only 2 is allowed")},
		},
		"a list": {"before": {}, "after": {"cleanup.policy": "compact"}, "deny": set()},
		"another list": {
			"before": {"cleanup.policy": "compact"},
			"after": {"cleanup.policy": ""},
			"deny": {_immutable("cleanup.policy", "[]", "only compact is allowed")},
		},
	}
	deny := family.deny with input as _altered(_mutable_params, tc.before, tc.after, {})
	tc.deny == deny
}

# An enforced value that Kafka could not read is no value that anyone could choose.
test_mutable_with_an_unreadable_value if {
	params := {"KFK-CHG-005": {"mutable": [], "enforced": {"min.insync.replicas": "two"}}}
	deny := family.deny with input as _altered(params, {}, {"min.insync.replicas": "2"}, {})
	deny == {_immutable("min.insync.replicas", "2", "only two is allowed")}
}

# Of the lists of topics neither order nor repetition means anything.
test_mutable_list[note] if {
	some note, tc in {
		"in the order that is enforced": {"before": {}, "after": "compact,delete", "deny": set()},
		"in another order": {"before": {}, "after": "delete,compact", "deny": set()},
		"in another order and spelling": {"before": {}, "after": " delete , compact,delete", "deny": set()},
		"one member fewer": {
			"before": {"cleanup.policy": "compact,delete"},
			"after": "delete",
			"deny": {_immutable("cleanup.policy", `["delete"]`, "only compact,delete is allowed")},
		},
		"none": {
			"before": {"cleanup.policy": "compact,delete"},
			"after": "",
			"deny": {_immutable("cleanup.policy", "[]", "only compact,delete is allowed")},
		},
	}
	params := {"KFK-CHG-005": {"mutable": [], "enforced": {"cleanup.policy": "compact,delete"}}}
	deny := family.deny with input as _altered(params, tc.before, {"cleanup.policy": tc.after}, {})
	tc.deny == deny
}
