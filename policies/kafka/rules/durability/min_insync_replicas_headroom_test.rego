package kafka.rules.durability_test

import data.kafka.rules.durability as family

_insync(operation, actual, factor, margin) := {
	"operation": operation,
	"params": {"KFK-DUR-002": {"margin": margin}},
	"requested": {"replicationFactor": factor},
	"effective": {"values": {"min.insync.replicas": actual}},
}

_insync_violation(actual, limit, factor, margin) := {
	"rule": "KFK-DUR-002",
	"severity": "high",
	"message": sprintf(
		"min.insync.replicas %d is above %d, the replication factor %d less %d",
		[actual, limit, factor, margin],
	),
	"fix": sprintf("set min.insync.replicas to %d, or raise the replication factor", [limit]),
	"path": ["configs", "min.insync.replicas"],
	"patch": [{"op": "add", "path": "/configs/min.insync.replicas", "value": format_int(limit, 10)}],
}

test_min_insync_replicas[note] if {
	some note, tc in {
		"on the limit": {"actual": 2, "factor": 3, "margin": 1, "deny": set()},
		"one above": {"actual": 3, "factor": 3, "margin": 1, "deny": {_insync_violation(3, 2, 3, 1)}},
		"no margin, on the limit": {"actual": 3, "factor": 3, "margin": 0, "deny": set()},
		"no margin, more than there are": {"actual": 4, "factor": 3, "margin": 0, "deny": {_insync_violation(4, 3, 3, 0)}},
		"wider margin": {"actual": 2, "factor": 3, "margin": 2, "deny": {_insync_violation(2, 1, 3, 2)}},
		"one replica can only ask for one": {"actual": 1, "factor": 1, "margin": 1, "deny": set()},
		"one replica, two required": {"actual": 2, "factor": 1, "margin": 1, "deny": {_insync_violation(2, 1, 1, 1)}},
		"margin above the factor": {"actual": 1, "factor": 2, "margin": 5, "deny": set()},
	}
	deny := family.deny with input as _insync("CreateTopic", tc.actual, tc.factor, tc.margin)
	tc.deny == deny
}
