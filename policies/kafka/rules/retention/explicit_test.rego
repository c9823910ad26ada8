package kafka.rules.retention_test

import data.kafka.rules.retention as family

_stated(operation, overrides, policy) := {
	"operation": operation,
	"params": {"KFK-RET-007": {"keys": ["retention.ms", "retention.bytes"]}},
	"requested": {"configs": {name: json.marshal(value) | some name, value in overrides}},
	"effective": {"values": object.union({"cleanup.policy": policy, "retention.ms": 5, "retention.bytes": -1}, overrides)},
}

_unstated(name, actual) := {
	"rule": "KFK-RET-007",
	"severity": "low",
	"message": sprintf("%s is not set on the topic: it has the cluster's %d for as long as that stays", [name, actual]),
	"fix": sprintf("set %s on the topic, to %d if that is what you want", [name, actual]),
	"path": ["configs", name],
	"patch": [{"op": "add", "path": concat("", ["/configs/", name]), "value": format_int(actual, 10)}],
}

test_explicit[note] if {
	some note, tc in {
		"both": {"overrides": {"retention.ms": 0, "retention.bytes": -1}, "policy": ["delete"], "deny": set()},
		"one": {
			"overrides": {"retention.ms": 5},
			"policy": ["delete"],
			"deny": {_unstated("retention.bytes", -1)},
		},
		"neither": {
			"overrides": {},
			"policy": ["compact", "delete"],
			"deny": {_unstated("retention.ms", 5), _unstated("retention.bytes", -1)},
		},
		"one that nobody can read": {
			"overrides": {"retention.ms": "abc"},
			"policy": ["delete"],
			"deny": {_unstated("retention.bytes", -1)},
		},
		"compacted only": {"overrides": {}, "policy": ["compact"], "deny": set()},
	}
	deny := family.deny with input as _stated("CreateTopic", tc.overrides, tc.policy)
	tc.deny == deny
}
