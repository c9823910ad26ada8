package kafka.rules.sizing_test

import data.kafka.rules.sizing as family

_counted(operation, actual) := {
	"operation": operation,
	"params": {"KFK-SIZ-001": {"min": 2, "max": 4}},
	"requested": {"numPartitions": actual},
}

_violation(actual, direction, limit) := {
	"rule": "KFK-SIZ-001",
	"severity": "high",
	"message": sprintf("%d partitions are %s of %d", [actual, direction, limit]),
	"fix": sprintf("use %d partitions", [limit]),
	"path": ["numPartitions"],
	"patch": [{"op": "replace", "path": "/numPartitions", "value": limit}],
}

test_bounds[note] if {
	some note, tc in {
		"one below": {"actual": 1, "deny": {_violation(1, "below the minimum", 2)}},
		"on the minimum": {"actual": 2, "deny": set()},
		"on the maximum": {"actual": 4, "deny": set()},
		"one above": {"actual": 5, "deny": {_violation(5, "above the maximum", 4)}},
	}
	deny := family.deny with input as _counted("CreateTopic", tc.actual)
	tc.deny == deny
}
