package kafka.model.topics_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.topics

_own_keys := {"catalog": {"beside": data.catalog.topic.kafka, "configs": {"topic": {
	"own.flag": {"type": "boolean"},
	"own.most": {"type": "int"},
	"own.names": {"type": "list"},
}}}}

_own_topic(operation, overrides, request) := fixtures.document({
	"operation": operation,
	"request": object.union({"topic": "shop.orders"}, request),
	"clusterState": object.union_n([fixtures.state, _own_keys, {"topics": {"shop.orders": topic}}]),
}) if {
	topic := object.union(object.remove(fixtures.topic, ["configs"]), {"configs": overrides})
}

_ops(name, op, value) := {"configs": {"mode": "incremental", "ops": [{"name": name, "op": op, "value": value}]}}

# What the cluster describes is neither unknown nor of any type.
test_alter_keys_that_the_cluster_describes[note] if {
	some note, tc in {
		"of its type": {"change": _ops("own.most", "SET", "5"), "messages": set()},
		"of another type": {
			"change": _ops("own.most", "SET", "few"),
			"messages": {"Invalid value few for configuration own.most: Not a number of type INT"},
		},
		"a list": {"change": _ops("own.names", "APPEND", "a"), "messages": set()},
		"no list": {
			"change": _ops("own.most", "APPEND", "a"),
			"messages": {
				"Can't APPEND to key own.most because its type is not LIST.",
				"Invalid value a for configuration own.most: Not a number of type INT",
			},
		},
		"what it does not describe": {
			"change": _ops("x", "SET", "1"),
			"messages": {"Unknown topic config name: x"},
		},
		"what no broker describes": {"change": _ops("internal.x", "SET", "1"), "messages": set()},
		"beside one of another type": {"change": _ops("own.most", "SET", "5"), "messages": set()},
	}
	refusals := topics.refusals("AlterTopic", _own_topic("AlterTopic", {"own.flag": "maybe"}, tc.change))
	tc.messages == {refusal.message | some refusal in refusals}
}

test_such_keys_of_a_topic_that_is_not_there if {
	document := object.union(_own_topic("AlterTopic", {}, _ops("own.most", "SET", "few")), {"clusterState": object.union(
		_own_keys,
		{"topics": {}},
	)})
	gone := object.union(document, {"request": object.union(document.request, {"topic": "shop.paid"})})
	refusals := topics.refusals("AlterTopic", gone)
	messages := {refusal.message | some refusal in refusals}
	messages == {"Invalid value few for configuration own.most: Not a number of type INT"}
}

test_values_of_such_keys[operation] if {
	some operation, request in {
		"AlterTopic": _ops("own.most", "SET", "5"),
		"AuditTopic": {},
	}
	document := _own_topic(operation, {"own.most": "5", "own.flag": "true"}, request)
	prepared := topics.prepared(operation, document, {"now": 0, "params": {}})
	prepared.requested.values["own.most"] == 5
	prepared.effective.values["own.flag"] == true
}

test_values_of_a_new_topic if {
	document := _own_topic("CreateTopic", {}, {"topic": "shop.paid", "configs": {"own.names": "a,b"}})
	prepared := topics.prepared("CreateTopic", document, {"now": 0, "params": {}})
	prepared.requested.values["own.names"] == ["a", "b"]
	refused := object.union(document, {"request": {"topic": "shop.paid", "configs": {"own.flag": "maybe"}}})
	some refusal in topics.refusals("CreateTopic", refused)
	refusal.message == "Invalid value maybe for configuration own.flag: Expected value to be either true or false"
}
