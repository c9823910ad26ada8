package kafka.rules.deletion_test

import data.kafka.rules.deletion as family

_deletion(params, fields) := object.union(
	{
		"operation": "DeleteTopic",
		"cluster": "c",
		"now": time.parse_rfc3339_ns("2026-11-21T10:00:00Z"),
		"topic": "shop.orders",
		"topicsInRequest": 1,
		"params": params,
		"current": {"internal": false},
		"clusterState": {"meta": {}},
	},
	fields,
)

_pattern_violation(topic, why) := {
	"rule": "KFK-DEL-001",
	"severity": "critical",
	"message": sprintf("topic \"%s\" may not be deleted, %s", [topic, why]),
	"fix": "have those who run the cluster allow names like it, or give it a waiver",
	"path": ["topic"],
	"patch": [],
}

test_topics[topic] if {
	some topic, deny in {
		"tmp.a": set(),
		"tmp.a.b": set(),
		"tmp.": set(),
		"tmp": {_pattern_violation("tmp", "no pattern allows it")},
		"my.tmp.a": {_pattern_violation("my.tmp.a", "no pattern allows it")},
		"tmp.audit": {_pattern_violation("tmp.audit", "\"*.audit\" forbids it")},
		"shop.audit": {_pattern_violation("shop.audit", "\"*.audit\" forbids it")},
		"tmp.audit.a": set(),
	}
	params := {"KFK-DEL-001": {"allowPatterns": ["x.*", "tmp.*"], "denyPatterns": ["y.*", "*.audit"]}}
	found := family.deny with input as _deletion(params, {"topic": topic})
	found == deny
}

test_topics_without_patterns if {
	params := {"KFK-DEL-001": {"allowPatterns": [], "denyPatterns": []}}
	found := family.deny with input as _deletion(params, {})
	found == {_pattern_violation("shop.orders", "no pattern allows it")}
}
