package kafka.rules.cleanup_test

import data.kafka.rules.cleanup as family

_dirty(operation, policy, ratio) := {
	"operation": operation,
	"params": {"KFK-CMP-004": {"min": 0.1, "max": 0.9}},
	"effective": {"values": {"cleanup.policy": policy, "min.cleanable.dirty.ratio": ratio}},
}

_dirty_violation(actual, direction, limit) := {
	"rule": "KFK-CMP-004",
	"severity": "low",
	"message": sprintf("min.cleanable.dirty.ratio %s is %s of %s", [actual, direction, limit]),
	"fix": sprintf("set min.cleanable.dirty.ratio to %s", [limit]),
	"path": ["configs", "min.cleanable.dirty.ratio"],
	"patch": [{"op": "add", "path": "/configs/min.cleanable.dirty.ratio", "value": limit}],
}

test_dirty_ratio[note] if {
	some note, tc in {
		"just below": {"ratio": 0.099, "deny": {_dirty_violation("0.099", "below the minimum", "0.1")}},
		"on the minimum": {"ratio": 0.1, "deny": set()},
		"on the maximum": {"ratio": 0.9, "deny": set()},
		"just above": {"ratio": 0.901, "deny": {_dirty_violation("0.901", "above the maximum", "0.9")}},
		"always": {"ratio": 0, "deny": {_dirty_violation("0", "below the minimum", "0.1")}},
		"never": {"ratio": 1, "deny": {_dirty_violation("1", "above the maximum", "0.9")}},
	}
	deny := family.deny with input as _dirty("CreateTopic", ["compact"], tc.ratio)
	tc.deny == deny
}

test_dirty_ratio_only_where_there_is_compaction[note] if {
	some note, tc in {
		"compact": {"policy": ["compact"], "n": 1},
		"both": {"policy": ["compact", "delete"], "n": 1},
		"delete": {"policy": ["delete"], "n": 0},
	}
	deny := family.deny with input as _dirty("CreateTopic", tc.policy, 1)
	paths := {0: [], 1: [["configs", "min.cleanable.dirty.ratio"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}
