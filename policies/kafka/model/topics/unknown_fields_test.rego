package kafka.model.topics_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.topics

_asks(operation, request, topic) := {
	"operation": operation,
	"cluster": "prod-eu",
	"request": object.union({"topic": "shop.orders"}, request),
	"clusterState": {"topics": {"shop.orders": topic}},
}

_configs := "configs of topic 'shop.orders'"

_reassigning := "reassigning of topic 'shop.orders'"

test_what_is_not_known_of_a_topic[note] if {
	bare := object.remove(fixtures.topic, ["configs", "reassigning"])
	some note, tc in {
		"a change of configs": {
			"document": _asks("AlterTopic", {"configs": {}}, bare),
			"needed": [_configs],
			"counted": [_reassigning],
		},
		"more partitions": {
			"document": _asks("AlterTopic", {"numPartitions": 3}, bare),
			"needed": [_configs, _reassigning],
			"counted": [],
		},
		"assignments of them": {
			"document": _asks("AlterTopic", {"newAssignments": []}, bare),
			"needed": [_configs, _reassigning],
			"counted": [],
		},
		"replicas that move": {
			"document": _asks("AlterTopic", {"reassignments": {"0": null}}, bare),
			"needed": [_configs, _reassigning],
			"counted": [],
		},
		"an audit": {"document": _asks("AuditTopic", {}, bare), "needed": [_configs], "counted": [_reassigning]},
		"a deletion": {"document": _asks("DeleteTopic", {}, bare), "needed": [_configs], "counted": []},
		"a deletion of records": {"document": _asks("DeleteRecords", {}, bare), "needed": [_configs], "counted": []},
		"only one of them": {
			"document": _asks("AuditTopic", {}, object.remove(fixtures.topic, ["reassigning"])),
			"needed": [],
			"counted": [_reassigning],
		},
	}
	object.filter(tc, ["needed", "counted"]) == topics.lacking(tc.document)
}

test_where_nothing_is_lacking[note] if {
	some note, document in {
		"all is known": _asks("AuditTopic", {}, fixtures.topic),
		"a topic that is not there": _asks("AuditTopic", {"topic": "shop.none"}, {}),
		"a topic that cannot be read": _asks("AuditTopic", {}, null),
		"an operation that reads no topic": _asks("CreateTopic", {}, {}),
	}
	not topics.lacking(document)
}

test_whether_configs_are_known if {
	bare := object.remove(fixtures.topic, ["configs"])
	topics.has_unknown_configs(_asks("AuditTopic", {}, bare))
	not topics.has_unknown_configs(_asks("AuditTopic", {}, fixtures.topic))
	not topics.has_unknown_configs(_asks("CreateTopic", {}, bare))
	not topics.has_unknown_configs(_asks("AuditTopic", {"topic": "shop.none"}, bare))
}

# What is not known is neither requested nor a reason to refuse it.
test_a_topic_of_which_not_all_is_known[note] if {
	topic := object.remove(_moving, ["configs", "reassigning"])
	some note, request in {
		"nothing": {},
		"another replica": {"reassignments": {"0": [2, 3, 4]}},
		"an end of what nobody knows of": {"reassignments": {"0": null}},
		"replicas that stay as many": {"reassignments": {"0": [5, 6, 7, 8]}, "allowReplicationFactorChange": false},
	}
	document := _asks("AlterTopic", request, topic)
	topics.refusals("AlterTopic", document) == set()
	prepared := topics.prepared("AlterTopic", document, {"now": 0, "params": {}})
	[prepared.current.replicationFactor, prepared.current.configs] == [4, {}]
	not prepared.current.reassigning
	not prepared.requested.reassigning
}

test_a_topic_that_cannot_be_read_is_there[note] if {
	some note, topic in {"null": null, "configs that are null": object.union(fixtures.topic, {"configs": null})}
	some request in [{"configs": {"mode": "full", "entries": {}}}, {"reassignments": {"0": null}}]
	topics.refusals("AlterTopic", _asks("AlterTopic", request, topic)) == set()
}
