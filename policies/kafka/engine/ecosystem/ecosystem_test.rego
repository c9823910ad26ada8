package kafka.engine.ecosystem_test

import data.checks.settings as settings_checks
import data.kafka.engine.ecosystem
import data.kafka.fixtures_test as fixtures

_every_tool[tool] := {} if some tool, _ in data.catalog.ecosystem

_compacted := {"cleanup.policy": "compact"}

_deleted := {"cleanup.policy": "delete", "retention.ms": "-1"}

_rule_ids := {"KFK-NAM-001"}

_compacted_topic := {"configs": _compacted, "numPartitions": 1}

_repartition := {"KFK-DEL-004", "KFK-NAM-001", "KFK-RET-001", "KFK-RET-002"}

_samples := {"KFK-NAM-001", "KFK-NAM-005", "KFK-RET-005"}

# What the tools create with their defaults, and near misses.
test_exempt[note] if {
	some note, tc in {
		"Connect's configs": {"topic": "connect-configs", "exempt": _rule_ids},
		"of a second cluster": {"topic": "connect-shop-configs", "exempt": _rule_ids},
		"Connect's configs in two": {"topic": "connect-configs", "partitions": 2, "exempt": set()},
		"Connect's offsets": {"topic": "connect-offsets", "partitions": 25, "exempt": _rule_ids},
		"Connect's states": {"topic": "connect-status", "partitions": 5, "exempt": _rule_ids},
		"Connect's offsets, deleted": {"topic": "connect-offsets", "configs": _deleted, "exempt": set()},
		"Connect's offsets, not set": {"topic": "connect-offsets", "configs": {}, "exempt": set()},
		"named almost so": {"topic": "connected-offsets", "exempt": set()},
		"named so at the end": {"topic": "my-connect-offsets", "exempt": set()},
		"heartbeats": {"topic": "heartbeats", "exempt": _rule_ids},
		"heartbeats from elsewhere": {"topic": "us-east.heartbeats", "exempt": _rule_ids},
		"checkpoints": {"topic": "us-east.checkpoints.internal", "exempt": _rule_ids},
		"offset syncs": {"topic": "mm2-offset-syncs.us-east.internal", "exempt": _rule_ids},
		"MirrorMaker's offsets": {"topic": "mm2-offsets.us-east.internal", "partitions": 25, "exempt": _rule_ids},
		"MirrorMaker's configs": {"topic": "mm2-configs.us-east.internal", "exempt": _rule_ids},
		"from elsewhere, of no alias": {"topic": "us-east.Orders", "configs": {}, "exempt": set()},
		"from elsewhere": {"topic": "us-east.Orders", "aliases": ["us-west", "us-east"], "configs": {}, "exempt": _rule_ids},
		"by two": {"topic": "us-east.us-east.Orders", "aliases": ["us-east"], "configs": {}, "exempt": _rule_ids},
		"from a third": {"topic": "us-north.Orders", "aliases": ["us-east"], "configs": {}, "exempt": set()},
		"offset syncs of a third": {"topic": "mm2-offset-syncs.b.internal", "aliases": ["a"], "exempt": set()},
		"a state": {"topic": "a-KSTREAM-AGGREGATE-STATE-STORE-02-changelog", "exempt": (_rule_ids | {"KFK-RET-005"})},
		"a state by windows": {
			"topic": "a-w-changelog", "configs": {"cleanup.policy": "compact,delete", "retention.ms": "90000000"},
			"exempt": (_rule_ids | {"KFK-RET-005"}),
		},
		"a state that is deleted": {"topic": "a-w-changelog", "configs": _deleted, "exempt": set()},
		"by another key": {"topic": "a-KSTREAM-MAP-01-repartition", "configs": _deleted, "exempt": _repartition},
		"by another key, not kept": {
			"topic": "a-b-repartition", "configs": {"cleanup.policy": "delete", "retention.ms": "1"},
			"exempt": set(),
		},
		"by a foreign key": {
			"topic": "a-KTABLE-FK-JOIN-SUBSCRIPTION-REGISTRATION-0000000006-topic", "configs": _deleted,
			"exempt": _repartition,
		},
		"ksqlDB's statements": {
			"topic": "_confluent-ksql-default__command_topic", "configs": _deleted,
			"exempt": {"KFK-NAM-001", "KFK-RET-001", "KFK-RET-002"},
		},
		"ksqlDB's log": {"topic": "default_ksql_processing_log", "configs": {}, "exempt": _rule_ids},
		"schemas": {"topic": "_schemas", "exempt": _rule_ids},
		"schemas in two": {"topic": "_schemas", "partitions": 2, "exempt": set()},
		"Strimzi's samples": {
			"topic": "strimzi.cruisecontrol.metrics", "configs": _deleted,
			"exempt": {"KFK-NAM-001", "KFK-RET-005"},
		},
		"brokers' metrics": {"topic": "__CruiseControlMetrics", "configs": _deleted, "exempt": _samples},
		"samples": {
			"topic": "__KafkaCruiseControlPartitionMetricSamples", "partitions": 32, "configs": _deleted,
			"exempt": _samples,
		},
		"samples of another kind": {"topic": "__KafkaCruiseControlX", "configs": _deleted, "exempt": set()},
	}
	state := {"configs": object.get(tc, "configs", _compacted), "numPartitions": object.get(tc, "partitions", 1)}
	chosen := object.union(_every_tool, {"mirror": object.filter(tc, ["aliases"])})
	exempt := ecosystem.exempt(tc.topic, state) with data.settings.compiled.ecosystem as chosen
	tc.exempt == exempt
}

# Only of tools that are named.
test_not_of_other_tools if {
	exempt := ecosystem.exempt("heartbeats", _compacted_topic) with data.settings.compiled.ecosystem as {"connect": {}}
	exempt == set()
}

test_not_where_nothing_is_said if {
	exempt := ecosystem.exempt("heartbeats", _compacted_topic) with data.settings.compiled as {}
	exempt == set()
}

# What a rule that may be broken says is left out, and all else is said, whatever the operation.
test_decisions[note] if {
	request := {"topic": "connect-offsets", "numPartitions": 25, "replicationFactor": 3, "configs": _compacted}
	bad := object.union(request, {"replicationFactor": 1})
	stored := object.union(fixtures.topic, {"configs": _compacted})
	audited := {
		"operation": "AuditTopic", "request": {"topic": "connect-offsets"},
		"clusterState": object.union(fixtures.state, {"topics": {"connect-offsets": stored}}),
	}
	some note, tc in {
		"created": {"fields": {"request": request}, "said": set()},
		"created with one replica": {"fields": {"request": bad}, "said": {"KFK-DUR-001"}},
		"created, and nothing is chosen": {"fields": {"request": request}, "over": {}, "said": {"KFK-NAM-001"}},
		"audited": {"fields": audited, "said": set()},
		"audited, and nothing is chosen": {"fields": audited, "over": {}, "said": {"KFK-NAM-001"}},
		"another topic": {"fields": {"request": object.union(request, {"topic": "Bad"})}, "said": {"KFK-NAM-001"}},
	}
	decision := fixtures.decide(fixtures.document(tc.fields), object.get(tc, "over", {"ecosystem": _every_tool}))
	tc.said == {violation.rule | some violation in decision.violations}
	count(decision.errors) == count(tc.said)
}

# What is said of a topic that goes is said by what it was.
test_deleted if {
	stored := object.union(fixtures.topic, {"configs": _deleted})
	document := fixtures.document({
		"operation": "DeleteRecords", "request": {"topic": "a-b-repartition", "deletedMessageOffsets": {"0": 30}},
		"clusterState": object.union(fixtures.state, {"topics": {"a-b-repartition": stored}}),
	})
	rule := {"KFK-DEL-004": {"mode": "deny", "params": {"groups": ["*"]}}}
	rules := object.union(fixtures.settings.rules, rule)
	without := fixtures.decide(document, {"rules": rules})
	with_all := fixtures.decide(document, {"rules": rules, "ecosystem": _every_tool})
	[["KFK-DEL-004"], []] == [[violation.rule | some violation in decision.violations] |
		some decision in [without, with_all]
	]
}

# A topic that goes as a whole has nothing that it will be.
test_deleted_whole if {
	document := fixtures.document({"operation": "DeleteTopic", "request": {"topic": "shop.orders"}})
	rule := {"KFK-DEL-005": {"mode": "deny", "params": {"patterns": ["shop.*"]}}}
	over := {"rules": object.union(fixtures.settings.rules, rule), "ecosystem": {"tool": {}}}
	kind := {"name": `^shop\.orders$`, "configs": {}, "exempt": ["KFK-DEL-005"]}
	[["KFK-DEL-005"], []] == [[violation.rule | some violation in decision.violations] |
		some kinds in [[], [kind]]
		decision := fixtures.decide(document, over) with data.catalog.ecosystem as {"tool": {"topics": kinds}}
	]
}

# The tools that settings may name are those of the catalogue, and every rule that is let go is one.
test_tools if {
	schema := settings_checks.schema with input as {"rules": {}, "complete": false}
	object.keys(schema.properties.ecosystem.properties) == object.keys(data.catalog.ecosystem)
	unknown := {rule |
		some tool in data.catalog.ecosystem
		some kind in tool.topics
		some rule in kind.exempt
		not data.catalog.rules[rule]
	}
	unknown == set()
}
