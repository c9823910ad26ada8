package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_kept_params := {"KFK-BRK-003": {"bounds": {
	"log.retention.ms": {"min": 60000, "max": 604800000},
	"log.retention.bytes": {"min": 1000},
	"log.segment.bytes": {"min": 2000000, "max": 2147483647},
}}}

_kept_violation(name, actual, direction, limit) := {
	"rule": "KFK-BRK-003",
	"severity": "medium",
	"message": sprintf("%s %d is %s of %d", [name, actual, direction, limit]),
	"fix": sprintf("set %s to %d", [name, limit]),
	"path": ["configs", name],
	"patch": _patched(name, format_int(limit, 10)),
}

test_retention[note] if {
	some note, tc in {
		"Kafka's own": {"overrides": {}, "deny": set()},
		"milliseconds, on the minimum": {"overrides": {"log.retention.ms": "60000"}, "deny": set()},
		"milliseconds, one below": {
			"overrides": {"log.retention.ms": "59999"},
			"deny": {_kept_violation("log.retention.ms", 59999, "below the minimum", 60000)},
		},
		"milliseconds, one above": {
			"overrides": {"log.retention.ms": "604800001"},
			"deny": {_kept_violation("log.retention.ms", 604800001, "above the maximum", 604800000)},
		},
		"minutes, on the minimum": {"overrides": {"log.retention.minutes": "1"}, "deny": set()},
		"minutes, none": {
			"overrides": {"log.retention.minutes": "0"},
			"deny": {_kept_violation("log.retention.ms", 0, "below the minimum", 60000)},
		},
		"hours, on the maximum": {"overrides": {"log.retention.hours": "168"}, "deny": set()},
		"hours, one above": {
			"overrides": {"log.retention.hours": "169"},
			"deny": {_kept_violation("log.retention.ms", 608400000, "above the maximum", 604800000)},
		},
		"minutes before hours": {"overrides": {"log.retention.minutes": "1", "log.retention.hours": "169"}, "deny": set()},
		"milliseconds before minutes": {
			"overrides": {"log.retention.minutes": "1", "log.retention.ms": "1"},
			"deny": {_kept_violation("log.retention.ms", 1, "below the minimum", 60000)},
		},
		"for ever": {
			"overrides": {"log.retention.ms": "-1"},
			"deny": {_kept_violation("log.retention.ms", -1, "above the maximum", 604800000)},
		},
		"for ever, in hours": {
			"overrides": {"log.retention.hours": "-1"},
			"deny": {_kept_violation("log.retention.ms", -1, "above the maximum", 604800000)},
		},
		"no limit where none is required": {"overrides": {"log.retention.bytes": "-1"}, "deny": set()},
		"bytes, none": {
			"overrides": {"log.retention.bytes": "0"},
			"deny": {_kept_violation("log.retention.bytes", 0, "below the minimum", 1000)},
		},
		"small segments": {
			"overrides": {"log.segment.bytes": "1999999"},
			"deny": {_kept_violation("log.segment.bytes", 1999999, "below the minimum", 2000000)},
		},
	}
	found := family.deny with input as _broker("StartBroker", "1", _kept_params, tc.overrides, {})
	tc.deny == found
}

# Not only retention has greater units.
test_retention_in_another_unit[note] if {
	some note, tc in {
		"hours, on the maximum": {"overrides": {"log.roll.hours": "168"}, "deny": set()},
		"hours, one above": {
			"overrides": {"log.roll.hours": "169"},
			"deny": {_kept_violation("log.roll.ms", 608400000, "above the maximum", 604800000)},
		},
		"milliseconds before hours": {"overrides": {"log.roll.hours": "169", "log.roll.ms": "1"}, "deny": set()},
		"not set": {"overrides": {}, "deny": set()},
	}
	params := {"KFK-BRK-003": {"bounds": {"log.roll.ms": {"max": 604800000}}}}
	found := family.deny with input as _broker("StartBroker", "1", params, tc.overrides, {})
	tc.deny == found
}

# Only a name in the smallest unit stands for others.
test_retention_in_a_smaller_unit if {
	params := {"KFK-BRK-003": {"bounds": {"log.roll.hours": {"max": 168}}}}
	found := family.deny with input as _broker("AlterBroker", "", params, {"log.roll.ms": "604800001"}, {})
	found == set()
}

test_retention_of_all_brokers[note] if {
	some note, tc in {
		"nothing set": {"overrides": {}, "n": 0},
		"one set": {"overrides": {"log.retention.ms": "1"}, "n": 1},
		"hours set": {"overrides": {"log.retention.hours": "1"}, "n": 1},
	}
	params := {"KFK-BRK-003": {"bounds": {
		"log.retention.ms": {"min": 604800001},
		"log.segment.bytes": {"min": 2147483647},
	}}}
	found := family.deny with input as _broker("AlterBroker", "", params, tc.overrides, {})
	paths := {0: [], 1: [["configs", "log.retention.ms"]]}
	paths[tc.n] == [violation.path | some violation in found]
}
