package kafka.model.topics_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.topics

_audit(topic) := {
	"operation": "AuditTopic",
	"cluster": "prod-eu",
	"request": {"topic": "shop.orders"},
	"clusterState": {"topics": {"shop.orders": topic}},
}

test_audit_asks_for_what_is_there if {
	prepared := topics.prepared("AuditTopic", _audit(fixtures.topic), {"now": 0, "params": {}})
	prepared.current == prepared.requested
	_without_labels({"current": prepared.current}) == {"current": _current}
	prepared.labels == {"owner": "payments"}
	prepared.topic == "shop.orders"
	prepared.effective.values["retention.ms"] == 5000
}

test_what_rules_see_of_the_request if {
	shared := {"now": 1795255200000000000, "params": {"KFK-DUR-001": {"min": 3}}}
	scan := {"enforcementPoint": "scan", "principal": {"type": "User", "name": "a"}}
	document := object.union(_audit(fixtures.topic), scan)
	prepared := topics.prepared(document.operation, document, shared)
	object.filter(prepared, ["operation", "cluster", "enforcementPoint", "principal", "now", "params"]) == {
		"operation": "AuditTopic",
		"cluster": "prod-eu",
		"enforcementPoint": "scan",
		"principal": {"type": "User", "name": "a"},
		"now": 1795255200000000000,
		"params": {"KFK-DUR-001": {"min": 3}},
	}
}

test_missing[note] if {
	some note, tc in {
		"there": {"topic": "shop.orders", "refusals": set()},
		"not there": {
			"topic": "shop.order",
			"refusals": {{
				"code": 3,
				"name": "UNKNOWN_TOPIC_OR_PARTITION",
				"message": "Topic 'shop.order' does not exist in cluster 'prod-eu'.",
			}},
		},
	}
	document := object.union(_audit(fixtures.topic), {"request": {"topic": tc.topic}})
	tc.refusals == topics.missing(document)
}

# What is stored and cannot be read is never taken for something else.
test_stored_state_that_cannot_be_read[note] if {
	some note, topic in _unreadable
	not topics.prepared("AuditTopic", _audit(topic), {"now": 0, "params": {}})
	not topics.prepared("AlterTopic", _alter_from(topic, {}), {"now": 0, "params": {}})
}

# Replicas are a list; of what is none, nobody is counted.
test_replicas_that_are_no_list[note] if {
	some note, replicas in {"text": "123", "an object": {"1": 1, "2": 2, "3": 3}}
	topic := object.union(object.remove(fixtures.topic, ["replicasAssignments"]), {"replicasAssignments": {"0": replicas}})
	prepared := topics.prepared("AuditTopic", _audit(topic), {"now": 0, "params": {}})
	prepared.current.replicationFactor == 0
}

_unreadable := object.union(
	{sprintf("without %s", [field]): object.remove(fixtures.topic, [field]) |
		some field in ["numPartitions", "replicasAssignments", "labels", "internal"]
	},
	{
		"null": null,
		"a list": [],
		"text": "6 partitions",
		"partitions in words": object.union(fixtures.topic, {"numPartitions": "six"}),
		"no labels": object.union(fixtures.topic, {"labels": null}),
		"configs that are numbers": object.union(fixtures.topic, {"configs": {"retention.ms": 5000}}),
		"no configs": object.union(fixtures.topic, {"configs": null}),
		"no reassignments": object.union(fixtures.topic, {"reassigning": null}),
		"no assignments": object.union(fixtures.topic, {"replicasAssignments": null}),
		"assignments of no partition": object.remove(fixtures.topic, ["replicasAssignments"]),
	},
)

test_stored[note] if {
	some note, tc in {
		"carried": {"document": fixtures.document({"request": {"topic": "shop.orders"}}), "stored": [fixtures.topic]},
		"not carried": {"document": fixtures.document({}), "stored": []},
		"carried state hides what is replicated": {
			"document": {"cluster": "prod-eu", "request": {"topic": "a"}, "clusterState": {}},
			"stored": [],
		},
		"replicated": {"document": {"cluster": "prod-eu", "request": {"topic": "a"}}, "stored": [{"numPartitions": 1}]},
		"replicated, of another cluster": {"document": {"cluster": "prod", "request": {"topic": "a"}}, "stored": []},
	}
	stored := [topic | topic := topics.stored(tc.document)]
		with data.clusters as {"prod-eu": {"topics": {"a": {"numPartitions": 1}}}}
	tc.stored == stored
}
