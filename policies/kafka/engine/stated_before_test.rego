package kafka.engine_test

import data.kafka.fixtures_test as fixtures

_topic := object.union(fixtures.topic, {"configs": {"retention.ms": "86400000", "min.insync.replicas": "2"}})

_shrinks := {"rules": {"KFK-CHG-001": {"mode": "deny", "params": {"maxShrinkRatio": 0.5, "approvalLabel": "ok"}}}}

_changed(before, after) := fixtures.decide(
	fixtures.document({
		"operation": "AlterTopic",
		"clusterState": {"topics": {"t": _topic}},
		"request": {"topic": "t", "configs": {"mode": "resolved", "before": before, "after": after}},
	}),
	_shrinks,
)

_disputed(names) := [sprintf("configs.before: not what the cluster's state has of %s; decided by what it has", [names])]

test_what_was_before_is_the_state_s[note] if {
	some note, tc in {
		"the same": {"before": _topic.configs, "warnings": []},
		"another value": {
			"before": {"retention.ms": "1", "min.insync.replicas": "2"},
			"warnings": _disputed("retention.ms"),
		},
		"less": {"before": {}, "warnings": _disputed("min.insync.replicas, retention.ms")},
		"more": {
			"before": object.union(_topic.configs, {"segment.ms": "5"}),
			"warnings": _disputed("segment.ms"),
		},
	}
	decision := _changed(tc.before, {"retention.ms": "3600000", "min.insync.replicas": "2"})
	[line | some line in decision.warnings; startswith(line, "configs.before")] == tc.warnings

	# Whoever says that the retention was an hour before does not hide that it shrinks.
	"KFK-CHG-001" in {violation.rule | some violation in decision.violations}
}

test_null_is_what_a_deletion_leaves if {
	some_null := _changed(_topic.configs, {"retention.ms": null, "min.insync.replicas": "2"})
	some_null == _changed(_topic.configs, {"min.insync.replicas": "2"})
}

# By what the catalogue, or the cluster itself, says that a config of brokers is.
_described := {"catalog": {"configs": {
	"broker": {"own.secret": {"type": "string", "sensitive": true}, "own.size": {"type": "string"}},
	"topic": {"own.secret": {"type": "string"}, "ssl.key.password": {"type": "string"}},
}}}

test_secrets_of_a_broker_are_in_no_state[name] if {
	some name, disputed in {
		"listener.name.a.ssl.key.password": [],
		"own.secret": [],
		"own.size": _disputed("own.size"),
		"log.cleaner.threads": _disputed("log.cleaner.threads"),
	}
	change := {
		"mode": "resolved",
		"before": {name: "5", "num.io.threads": "8"},
		"after": {name: "5", "num.io.threads": "9"},
	}
	document := fixtures.document({
		"operation": "AlterBroker",
		"clusterState": object.union(
			_described,
			{"brokers": {"1": {"configs": {}, "dynamicConfigs": {"num.io.threads": "8"}}}},
		),
	})
	request := {"broker": "1", "configs": change}
	decision := fixtures.decide(object.union(object.remove(document, ["request"]), {"request": request}), {})
	[line | some line in decision.warnings; startswith(line, "configs.before")] == disputed
}

# What would be a broker's secret is none of a topic that has a config of that name.
test_a_topic_has_no_secrets[name] if {
	some name in ["own.secret", "ssl.key.password"]
	topic := object.union(_topic, {"configs": {name: "1"}})
	decision := fixtures.decide(
		fixtures.document({
			"operation": "AlterTopic",
			"clusterState": object.union(_described, {"topics": {"t": topic}}),
			"request": {"topic": "t", "configs": {
				"mode": "resolved",
				"before": object.union(_topic.configs, {name: "2"}),
				"after": object.union(_topic.configs, {name: "1"}),
			}},
		}),
		{},
	)
	[line | some line in decision.warnings; startswith(line, "configs.before")] == _disputed(name)
}

# A config may have that name: nothing is compared where a request has no change.
test_a_topic_s_config_of_that_name if {
	document := fixtures.document({"request": {"topic": "a", "configs": {"mode": "resolved", "before": "x"}}})
	decision := fixtures.decide(document, {})
	[line | some line in decision.warnings; startswith(line, "configs.before")] == []
}
