package kafka_test

import data.kafka
import data.kafka.fixtures_test as fixtures
import data.kafka.operations

test_no_input_at_all if {
	sentence := "the input is missing: send one decision input"
	kafka.decision == object.union(fixtures.refused([sentence]), {"stateAge": null})
}

test_allowed[operation] if {
	some operation, topic in {"CreateTopic": "shop.baskets", "AlterTopic": "shop.orders", "AuditTopic": "shop.orders"}
	fixtures.allowed == fixtures.decide(fixtures.document({"operation": operation, "request": {"topic": topic}}), {})
}

_few_copies := {
	"rule": "KFK-DUR-001",
	"severity": "critical",
	"message": "replication factor 1 is below the minimum of 3",
	"fix": "use a replication factor of 3",
	"path": ["replicationFactor"],
	"patch": [{"op": "replace", "path": "/replicationFactor", "value": 3}],
	"effect": "deny",
	"waiver": null,
	"cause": "caused",
}

_denied := object.union(fixtures.allowed, {
	"allowed": false,
	"errors": ["KFK-DUR-001: replication factor 1 is below the minimum of 3"],
	"error": {
		"code": 44,
		"name": "POLICY_VIOLATION",
		"message": "KFK-DUR-001: replication factor 1 is below the minimum of 3",
	},
	"violations": [_few_copies],
})

test_denied_whole if {
	_denied == fixtures.decide(fixtures.document({"request": {"replicationFactor": 1}}), {})
}

_operations := concat(", ", sort(object.keys(operations)))

# Whatever the input is, there is a decision, it denies, and it says why. A few more than one field tell the
# whole story in kafka/base/request/errors_test.rego.
test_any_input_is_decided[note] if {
	some note, tc in {
		"null": {"input": null, "sentence": "the input is not a JSON object: send one decision input"},
		"list": {"input": [], "sentence": "the input is not a JSON object: send one decision input"},
		"string": {"input": "x", "sentence": "the input is not a JSON object: send one decision input"},
		"number": {"input": 3, "sentence": "the input is not a JSON object: send one decision input"},
		"boolean": {"input": false, "sentence": "the input is not a JSON object: send one decision input"},
		"batch at the wrong entry point": {
			"input": {"items": {}},
			"sentence": "cluster is missing: give a non-empty string",
		},
		"empty": {"input": {}, "sentence": "operation is missing: give a string"},
		"operation unknown": {
			"input": fixtures.document({"operation": "DropTopic"}),
			"sentence": concat(" ", ["operation: \"DropTopic\" is unknown (did you mean AlterTopic?): use one of", _operations]),
		},
		"operation of another type": {
			"input": fixtures.document({"operation": ["CreateTopic"]}),
			"sentence": "operation: [\"CreateTopic\"] is not a string",
		},
		"cluster": {"input": fixtures.document({"cluster": {}}), "sentence": "cluster: {} is not a non-empty string"},
		"request": {"input": fixtures.document({"request": []}), "sentence": "request: [] is not an object"},
		"topic": {
			"input": fixtures.document({"request": {"topic": null}}),
			"sentence": "request.topic: null is not a string",
		},
		"configs": {
			"input": fixtures.document({"request": {"configs": "retention.ms=1"}}),
			"sentence": "request.configs: \"retention.ms=1\" is not an object of config names to strings or null",
		},
		"state of no cluster": {
			"input": object.remove(fixtures.document({}), ["clusterState"]),
			"sentence": "cluster: nothing is known of \"prod-eu\": replicate it or send clusterState",
		},
	}
	decision := fixtures.decide(tc.input, {})
	tc.sentence in decision.errors
	fixtures.refused(decision.errors) == decision
}

# Every value in every field: nothing is undefined, nothing but the right type is allowed.
test_any_value_in_any_field_is_decided[field] if {
	some field in [
		"operation",
		"cluster",
		"principal",
		"enforcementPoint",
		"validateOnly",
		"now",
		"request",
		"clusterState",
	]
	unnamed := [value |
		some value in [null, [], [1], 3, -1.5]
		document := object.union(object.remove(fixtures.document({}), [field]), {field: value})
		not _names(fixtures.decide(document, {}), {field})
	]
	unnamed == []
}

_names(decision, fields) if {
	not decision.allowed
	some error in decision.errors
	some field in fields
	startswith(error, concat("", [field, ": "]))
}

test_any_value_in_any_field_of_a_request_is_decided[operation] if {
	some operation, fields in {
		"CreateTopic": ["topic", "numPartitions", "replicationFactor", "replicasAssignments", "configs", "labels"],
		"AlterTopic": ["topic", "configs", "numPartitions", "newAssignments", "reassignments"],
		"AuditTopic": ["topic"],
	}
	unnamed := [[field, value] |
		some field in fields
		some value in [null, "", [1], 1.5, {"x": {"y": []}}, true]
		[field, value, operation == "AuditTopic"] != ["topic", "", false] # which Kafka refuses in words of its own
		document := fixtures.document({"operation": operation})
		decision := fixtures.decide(object.union(document, {"request": {field: value}}), {})
		not _names(decision, {concat("", ["request.", field])})
	]
	unnamed == []
}

_incomplete := "clusterState: the state of this resource is incomplete: replicate it again or send all of it"

test_stored_state_that_cannot_be_read[note] if {
	some note, tc in {
		"a topic whose configs are null": {"topics": {"shop.orders": object.union(fixtures.topic, {"configs": null})}},
		"a topic without its partitions": {"topics": {"shop.orders": object.remove(fixtures.topic, ["numPartitions"])}},
		"a topic that is null": {"topics": {"shop.orders": null}},
		"configs that are numbers": {"topics": {"shop.orders": {"configs": {"retention.ms": 5}}}},
	}
	state := object.union(object.remove(fixtures.state, ["topics"]), tc)
	some operation in ["AlterTopic", "AuditTopic"]
	document := object.remove(
		fixtures.document({"operation": operation, "request": {"topic": "shop.orders"}}),
		["clusterState"],
	)
	decision := fixtures.decide(object.union(document, {"clusterState": state}), {})
	fixtures.refused([_incomplete]) == decision
}

test_defaults_that_cannot_be_read[note] if {
	some note, defaults in {
		"partitions in words": {"num.partitions": "four"},
		"a number where Kafka has a string": {"num.partitions": 4},
		"a topic's default that is a number": {"retention.ms": 5000},
	}
	state := object.union(object.remove(fixtures.state, ["defaults"]), {"defaults": defaults})
	document := object.union(object.remove(fixtures.document({}), ["clusterState"]), {"clusterState": state})
	fixtures.refused([_incomplete]) == fixtures.decide(document, {})
}

test_without_settings_nothing_is_allowed if {
	decision := kafka.decision with input as fixtures.document({}) with data.settings as {}
	decision.allowed == false
	decision.error.name == "INVALID_REQUEST"
}

test_replicated_state_stands_in_for_none[note] if {
	some note, tc in {
		"replicated": {"cluster": "prod-eu", "allowed": true},
		"another cluster's": {"cluster": "prod-us", "allowed": false},
	}
	document := object.remove(fixtures.document({"cluster": tc.cluster}), ["clusterState"])
	decision := fixtures.decide(document, {}) with data.clusters as {"prod-eu": fixtures.state}
	tc.allowed == decision.allowed
}

# A batch.

_good := {"request": {"topic": "shop.baskets"}}

_bad := {"request": {"topic": "shop.baskets", "replicationFactor": 1}}

_common := object.remove(fixtures.document({}), ["request"])

_no_object := fixtures.refused(["the input is not a JSON object: send one decision input"])

test_batch[note] if {
	some note, tc in {
		"of whole inputs": {
			"input": {"items": {"a": fixtures.document(_good), "b": fixtures.document(_bad)}},
			"decisions": {"a": fixtures.allowed, "b": _denied},
		},
		"with what they share": {
			"input": {"common": _common, "items": {"a": _good, "b": _bad}},
			"decisions": {"a": fixtures.allowed, "b": _denied},
		},
		"the item's own over the common": {
			"input": {"common": fixtures.document(_bad), "items": {"a": {"request": {"replicationFactor": 3}}, "b": {}}},
			"decisions": {"a": fixtures.allowed, "b": _denied},
		},
		"one bad item hides no other": {
			"input": {
				"common": _common,
				"items": {"a": _good, "b": null, "c": "x", "d": [], "e": 3, "f": _bad, "g": {"request": {"topic": 1}}},
			},
			"decisions": {
				"a": fixtures.allowed,
				"b": _no_object,
				"c": _no_object,
				"d": _no_object,
				"e": _no_object,
				"f": _denied,
				"g": fixtures.refused(["request.topic: 1 is not a string"]),
			},
		},
		"any key": {
			"input": {"common": _common, "items": {"": _good, "a/b c": _good, "ü": _bad}},
			"decisions": {"": fixtures.allowed, "a/b c": fixtures.allowed, "ü": _denied},
		},
		"common that cannot be read": {
			"input": {"common": {"cluster": 1}, "items": {"a": _good, "b": 3}},
			"decisions": {"a": fixtures.refused(["common.cluster: 1 is not a non-empty string"]), "b": _no_object},
		},
		"common that is not an object": {
			"input": {"common": [], "items": {"a": fixtures.document(_good)}},
			"decisions": {
				"a": fixtures.refused(["common: not a JSON object: send the fields that the items share, or none"]),
			},
		},
		"no items": {"input": {"common": _common, "items": {}}, "decisions": {}},
		"items missing": {"input": {"common": _common}, "decisions": {}},
		"items that are no object": {"input": {"items": "x"}, "decisions": {}},
		"no batch": {"input": 3, "decisions": {}},
	}
	tc.decisions == fixtures.decide_all(tc.input)
}

# A state that the items share carries the topic of each item.
test_batch_of_a_scan if {
	common := {
		"operation": "AuditTopic",
		"cluster": "prod-eu",
		"enforcementPoint": "scan",
		"now": fixtures.now,
		"clusterState": object.remove(fixtures.state, ["topics"]),
	}
	thin := object.union(fixtures.topic, {"replicasAssignments": {"0": [1], "1": [2]}})
	decisions := fixtures.decide_all({"common": common, "items": {
		"a": {"request": {"topic": "shop.orders"}, "clusterState": {"topics": {"shop.orders": fixtures.topic}}},
		"b": {"request": {"topic": "shop.thin"}, "clusterState": {"topics": {"shop.thin": thin}}},
		"c": {"request": {"topic": "shop.gone"}, "clusterState": {"topics": {}}},
	}})
	{key: decision.errors | some key, decision in decisions} == {
		"a": [],
		"b": [
			"KFK-DUR-001: replication factor 1 is below the minimum of 3",
			"KFK-DUR-002: min.insync.replicas 2 is above 1, the replication factor 1 less 1",
		],
		"c": ["Topic 'shop.gone' does not exist in cluster 'prod-eu'."],
	}
}

test_one_and_many_agree[note] if {
	some note, fields in {
		"good": _good,
		"bad": _bad,
		"wrong": {"request": {"topic": 1}},
		"refused by Kafka": {"request": {"topic": "shop.orders"}},
	}
	document := fixtures.document(fields)
	fixtures.decide_all({"items": {"k": document}}) == {"k": fixtures.decide(document, {})}
}

# Audits of a topic as a whole, and of its parts.
test_parts_together_say_what_the_whole_says[note] if {
	some note, tc in {
		"well": {"name": "shop.orders", "topic": {}, "rules": set()},
		"name": {"name": "Shop", "topic": {}, "rules": {"KFK-NAM-001"}},
		"label": {"name": "shop.orders", "topic": {"labels": {"domain": "hr"}}, "rules": {"KFK-GOV-003"}},
		"configs": {"name": "shop.orders", "topic": {"configs": {"retention.ms": "5"}}, "rules": {"KFK-RET-001"}},
		"label that excuses": {
			"name": "shop.orders",
			"topic": {"configs": {"retention.ms": "604800001"}, "labels": {"why": "tests"}},
			"rules": set(),
		},
		"partitions": {"name": "shop.orders", "topic": {"numPartitions": 101}, "rules": {"KFK-SIZ-001"}},
		"all of it": {
			"name": "Shop",
			"topic": {"numPartitions": 0, "configs": {"retention.ms": "5"}, "labels": {"domain": "hr"}},
			"rules": {"KFK-GOV-003", "KFK-NAM-001", "KFK-RET-001", "KFK-SIZ-001"},
		},
	}
	topic := object.union(fixtures.topic, tc.topic)
	laid := fixtures.compiled(object.union(
		fixtures.settings,
		{"rules": {"KFK-GOV-003": {"mode": "warn", "params": {"labelKey": "domain", "separator": "."}}}},
	))
	decisions := kafka.decisions with data.settings.compiled as laid with input as {
		"common": {"cluster": "prod-eu", "now": fixtures.now, "clusterState": {"defaults": {}}},
		"items": {
			"whole": {
				"operation": "AuditTopic",
				"request": {"topic": tc.name},
				"clusterState": {"topics": {tc.name: topic}},
			},
			"name": {"operation": "AuditTopicName", "request": {"topic": tc.name, "internal": false}},
			"labels": {
				"operation": "AuditTopicLabels",
				"request": {"topic": tc.name, "labels": topic.labels, "internal": false},
			},
			"configs": {
				"operation": "AuditTopicConfigs",
				"request": object.filter(topic, ["numPartitions", "replicationFactor", "configs", "labels", "internal"]),
			},
		},
	}
	parts := {violation | some key in ["name", "labels", "configs"]; some violation in decisions[key].violations}
	tc.rules == {violation.rule | some violation in parts}
	parts == {violation | some violation in decisions.whole.violations}
	decisions.whole.allowed == min({decisions[key].allowed | some key in ["name", "labels", "configs"]})
}

# Clusters in the document stand in for those that are replicated.
test_clusters_of_the_document[note] if {
	order := {"mode": "deny", "params": {"order": ["dev", "prod-eu"]}}
	over := {"rules": object.union(fixtures.settings.rules, {"KFK-GOV-005": order})}
	some note, tc in {
		"there": {"clusters": {"dev": {"topics": {"shop.orders": fixtures.topic}}}, "allowed": true},
		"not there": {"clusters": {"dev": {"topics": {}}}, "allowed": false},
		"unknown": {"clusters": {}, "allowed": false},
	}
	document := fixtures.document({"operation": "AuditTopic", "request": {"topic": "shop.orders"}})
	decision := fixtures.decide(object.union(document, {"clusters": tc.clusters}), over)
		with data.clusters as {"dev": {"topics": {"shop.orders": fixtures.topic}}}
	decision.allowed == tc.allowed
}
