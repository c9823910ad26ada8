package kafka.rules.cleanup_test

import data.kafka.rules.cleanup as family

_tombstoned(operation, policy, values) := {
	"operation": operation,
	"params": {"KFK-CMP-002": {"min": 100, "max": 500}},
	"effective": {"values": object.union({"cleanup.policy": policy}, values)},
}

_tombstone_violation(actual, direction, limit) := {
	"rule": "KFK-CMP-002",
	"severity": "high",
	"message": sprintf("delete.retention.ms %d of a compacted topic is %s of %d", [actual, direction, limit]),
	"fix": sprintf("set delete.retention.ms to %d", [limit]),
	"path": ["configs", "delete.retention.ms"],
	"patch": [{"op": "add", "path": "/configs/delete.retention.ms", "value": format_int(limit, 10)}],
}

test_tombstones[note] if {
	some note, tc in {
		"one below": {"values": {"delete.retention.ms": 99}, "deny": {_tombstone_violation(99, "below the minimum", 100)}},
		"on the minimum": {"values": {"delete.retention.ms": 100}, "deny": set()},
		"on the maximum": {"values": {"delete.retention.ms": 500}, "deny": set()},
		"one above": {"values": {"delete.retention.ms": 501}, "deny": {_tombstone_violation(501, "above the maximum", 500)}},
		"gone at once": {"values": {"delete.retention.ms": 0}, "deny": {_tombstone_violation(0, "below the minimum", 100)}},
		"not known": {"values": {}, "deny": {_tombstone_violation(0, "below the minimum", 100)}},
	}
	deny := family.deny with input as _tombstoned("CreateTopic", ["compact"], tc.values)
	tc.deny == deny
}

test_tombstones_only_where_there_are_any[note] if {
	some note, tc in {
		"compact": {"policy": ["compact"], "n": 1},
		"both": {"policy": ["delete", "compact"], "n": 1},
		"delete": {"policy": ["delete"], "n": 0},
		"neither": {"policy": [], "n": 0},
	}
	deny := family.deny with input as _tombstoned("CreateTopic", tc.policy, {"delete.retention.ms": 1})
	paths := {0: [], 1: [["configs", "delete.retention.ms"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}
