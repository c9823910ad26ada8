package kafka.rules.durability_test

import data.kafka.rules.durability as family

_flushed(operation, topic, values) := {
	"operation": operation,
	"params": {"KFK-DUR-008": {"allow": ["audit.*"]}},
	"topic": topic,
	"requested": {"values": values},
}

_flush_violation(name, actual) := {
	"rule": "KFK-DUR-008",
	"severity": "medium",
	"message": sprintf("%s is %d: brokers flush this topic to disk by force", [name, actual]),
	"fix": sprintf("leave %s at Kafka's default, and have enough replicas and min.insync.replicas", [name]),
	"path": ["configs", name],
	"patch": [{"op": "add", "path": concat("", ["/configs/", name]), "value": "9223372036854775807"}],
}

test_flush[note] if {
	some note, tc in {
		"untouched": {"topic": "a", "values": {"retention.ms": 1}, "deny": set()},
		"set to the default": {"topic": "a", "values": {"flush.ms": 9223372036854775807}, "deny": set()},
		"one below the default": {
			"topic": "a",
			"values": {"flush.ms": 9223372036854775806},
			"deny": {_flush_violation("flush.ms", 9223372036854775806)},
		},
		"every message": {"topic": "a", "values": {"flush.messages": 1}, "deny": {_flush_violation("flush.messages", 1)}},
		"at once": {"topic": "a", "values": {"flush.ms": 0}, "deny": {_flush_violation("flush.ms", 0)}},
		"both": {
			"topic": "a",
			"values": {"flush.messages": 1, "flush.ms": 2},
			"deny": {_flush_violation("flush.messages", 1), _flush_violation("flush.ms", 2)},
		},
		"a topic that may": {"topic": "audit.a.b", "values": {"flush.messages": 1}, "deny": set()},
		"a topic that may not": {"topic": "x.audit.a", "values": {"flush.ms": 1}, "deny": {_flush_violation("flush.ms", 1)}},
	}
	deny := family.deny with input as _flushed("CreateTopic", tc.topic, tc.values)
	tc.deny == deny
}
