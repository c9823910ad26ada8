package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_default_params := {"KFK-BRK-002": {
	"bounds": {"default.replication.factor": {"min": 3}, "num.partitions": {"min": 2, "max": 4}, "x.unknown": {"min": 1}},
	"required": {"unclean.leader.election.enable": "false", "x.vendor": "on"},
}}

_safe_defaults := {"default.replication.factor": "3", "num.partitions": "4"}

_inherited(name, actual, rest, wanted) := {
	"rule": "KFK-BRK-002",
	"severity": "high",
	"message": sprintf("%s is %v, %s, and topics that do not set it inherit it", [name, actual, rest]),
	"fix": sprintf("set %s to %s", [name, wanted]),
	"path": ["configs", name],
	"patch": _patched(name, wanted),
}

test_defaults[note] if {
	some note, tc in {
		"on the bounds": {"overrides": _safe_defaults, "deny": set()},
		"on the other bound": {"overrides": object.union(_safe_defaults, {"num.partitions": "2"}), "deny": set()},
		"one below": {
			"overrides": object.union(_safe_defaults, {"num.partitions": "1"}),
			"deny": {_inherited("num.partitions", 1, "below the minimum of 2", "2")},
		},
		"one above": {
			"overrides": object.union(_safe_defaults, {"num.partitions": "5"}),
			"deny": {_inherited("num.partitions", 5, "above the maximum of 4", "4")},
		},
		"not set": {
			"overrides": {},
			"deny": {
				_inherited("default.replication.factor", 1, "below the minimum of 3", "3"),
				_inherited("num.partitions", 1, "below the minimum of 2", "2"),
			},
		},
		"another value than required": {
			"overrides": object.union(_safe_defaults, {"unclean.leader.election.enable": "TRUE"}),
			"deny": {_inherited("unclean.leader.election.enable", true, "not false", "false")},
		},
		"the value that is required, in another spelling": {
			"overrides": object.union(_safe_defaults, {"unclean.leader.election.enable": " False", "x.vendor": " on "}),
			"deny": set(),
		},
		"a key that no catalogue has": {
			"overrides": object.union(_safe_defaults, {"x.vendor": "off"}),
			"deny": {_inherited("x.vendor", "off", "not on", "on")},
		},
	}
	found := family.deny with input as _broker("StartBroker", "1", _default_params, tc.overrides, {})
	tc.deny == found
}

# Of a list that topics inherit neither order nor repetition means anything, of another one both do.
test_defaults_that_are_lists[note] if {
	some note, tc in {
		"another order": {"overrides": {"log.cleanup.policy": "delete,compact"}, "deny": set()},
		"twice the same": {"overrides": {"log.cleanup.policy": "compact, delete,compact"}, "deny": set()},
		"a member fewer": {
			"overrides": {"log.cleanup.policy": "compact"},
			"deny": {_inherited("log.cleanup.policy", `["compact"]`, "not compact,delete", "compact,delete")},
		},
		"not set": {
			"overrides": {},
			"deny": {_inherited("log.cleanup.policy", `["delete"]`, "not compact,delete", "compact,delete")},
		},
		"a list that no topic inherits, in another order": {
			"overrides": {"log.cleanup.policy": "compact,delete", "group.consumer.assignors": "range,uniform"},
			"deny": {_inherited("group.consumer.assignors", `["range", "uniform"]`, "not uniform,range", "uniform,range")},
		},
	}
	required := {"log.cleanup.policy": "compact,delete", "group.consumer.assignors": "uniform,range"}
	params := {"KFK-BRK-002": {"bounds": {}, "required": required}}
	found := family.deny with input as _broker("StartBroker", "1", params, tc.overrides, {})
	tc.deny == found
}

# What may be set in greater units is bound in its own.
test_defaults_in_another_unit[note] if {
	some note, tc in {
		"hours, on the maximum": {"overrides": {"log.roll.hours": "168"}, "deny": set()},
		"hours, one above": {
			"overrides": {"log.roll.hours": "169"},
			"deny": {_inherited("log.roll.ms", 608400000, "above the maximum of 604800000", "604800000")},
		},
		"milliseconds before hours": {"overrides": {"log.roll.hours": "169", "log.roll.ms": "1"}, "deny": set()},
		"not set": {"overrides": {}, "deny": set()},
	}
	params := {"KFK-BRK-002": {"bounds": {"log.roll.ms": {"max": 604800000}}, "required": {}}}
	found := family.deny with input as _broker("StartBroker", "1", params, tc.overrides, {})
	tc.deny == found
}

# A required value that Kafka could not read is no value that a broker could have.
test_defaults_with_an_unreadable_value if {
	params := {"KFK-BRK-002": {"bounds": {}, "required": {"num.partitions": "many"}}}
	found := family.deny with input as _broker("StartBroker", "1", params, {}, {})
	found == {_inherited("num.partitions", 1, "not many", "many")}
}

test_defaults_shared_by_all_brokers if {
	shared := object.union(_safe_defaults, {"unclean.leader.election.enable": "true"})
	found := family.deny with input as _broker("AuditBroker", "1", _default_params, {}, shared)
	found == {object.union(_inherited("unclean.leader.election.enable", true, "not false", "false"), {"patch": []})}
}

test_defaults_of_all_brokers[note] if {
	some note, tc in {
		"nothing set": {"overrides": {}, "n": 0},
		"one set": {"overrides": {"unclean.leader.election.enable": "true"}, "n": 1},
	}
	found := family.deny with input as _broker("AlterBroker", "", _default_params, tc.overrides, {})
	paths := {0: [], 1: [["configs", "unclean.leader.election.enable"]]}
	paths[tc.n] == [violation.path | some violation in found]
}
