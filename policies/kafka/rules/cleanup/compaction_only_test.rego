package kafka.rules.cleanup_test

import data.kafka.rules.cleanup as family

_keyed(operation, policy, overrides) := {
	"operation": operation,
	"params": {"KFK-CMP-005": {"keys": ["delete.retention.ms", "min.compaction.lag.ms"]}},
	"requested": {"values": overrides},
	"effective": {"values": object.union({"cleanup.policy": policy, "delete.retention.ms": 1}, overrides)},
}

_idle(name, actual) := {
	"rule": "KFK-CMP-005",
	"severity": "info",
	"message": sprintf("%s %d has no effect: cleanup.policy does not have compact", [name, actual]),
	"fix": sprintf("remove %s, or add compact to cleanup.policy", [name]),
	"path": ["configs", name],
	"patch": [{"op": "remove", "path": concat("", ["/configs/", name])}],
}

test_compaction_only[note] if {
	some note, tc in {
		"none set": {"policy": ["delete"], "overrides": {"retention.ms": 1}, "deny": set()},
		"one set": {"policy": ["delete"], "overrides": {"delete.retention.ms": 5}, "deny": {_idle("delete.retention.ms", 5)}},
		"set to nothing": {
			"policy": ["delete"],
			"overrides": {"min.compaction.lag.ms": 0},
			"deny": {_idle("min.compaction.lag.ms", 0)},
		},
		"both set": {
			"policy": [],
			"overrides": {"delete.retention.ms": 5, "min.compaction.lag.ms": 6},
			"deny": {_idle("delete.retention.ms", 5), _idle("min.compaction.lag.ms", 6)},
		},
		"compacted": {"policy": ["compact"], "overrides": {"delete.retention.ms": 5}, "deny": set()},
		"compacted and deleted": {"policy": ["delete", "compact"], "overrides": {"delete.retention.ms": 5}, "deny": set()},
	}
	deny := family.deny with input as _keyed("CreateTopic", tc.policy, tc.overrides)
	tc.deny == deny
}
