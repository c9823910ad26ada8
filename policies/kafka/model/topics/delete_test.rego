package kafka.model.topics_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.topics

_delete(operation, topic, request) := {
	"operation": operation,
	"cluster": "prod-eu",
	"request": object.union({"topic": "shop.orders"}, request),
	"clusterState": {"topics": {"shop.orders": topic}},
}

test_delete if {
	prepared := topics.prepared("DeleteTopic", _delete("DeleteTopic", fixtures.topic, {}), {"now": 0, "params": {}})
	[prepared.topic, prepared.labels, prepared.requested] == ["shop.orders", {"owner": "payments"}, null]
	_without_labels({"current": prepared.current}) == {"current": _current}
	prepared.effective.values["retention.ms"] == 5000
}

test_delete_records if {
	request := {"deletedMessageOffsets": {"0": 17, "1": -1}}
	prepared := topics.prepared(
		"DeleteRecords",
		_delete("DeleteRecords", fixtures.topic, request),
		{"now": 0, "params": {}},
	)
	prepared.deletedMessageOffsets == {"0": 17, "1": -1}
	_without_labels({"requested": prepared.requested}) == {"requested": _current}
	prepared.current == prepared.requested
}

_hosting_errors := {
	"code": 3,
	"name": "UNKNOWN_TOPIC_OR_PARTITION",
	"message": "This server does not host this topic-partition.",
}

_internal := {
	"code": 17,
	"name": "INVALID_TOPIC_EXCEPTION",
	"message": "Cannot delete records of internal topic shop.orders",
}

test_delete_refusals[note] if {
	some note, tc in {
		"topic": {"operation": "DeleteTopic", "over": {}, "request": {}, "refusals": set()},
		"unknown topic": {
			"operation": "DeleteTopic",
			"over": {},
			"request": {"topic": "shop.order"},
			"refusals": {_hosting_errors},
		},
		"Kafka lets an internal topic be deleted": {
			"operation": "DeleteTopic",
			"over": {"internal": true},
			"request": {},
			"refusals": set(),
		},
		"records": {
			"operation": "DeleteRecords",
			"over": {},
			"request": {"deletedMessageOffsets": {"0": 1, "1": -1}},
			"refusals": set(),
		},
		"records of no partition": {
			"operation": "DeleteRecords",
			"over": {},
			"request": {"deletedMessageOffsets": {"1": 1, "2": 1, "3": 1}},
			"refusals": {_hosting_errors},
		},
		"records from before the first": {
			"operation": "DeleteRecords",
			"over": {},
			"request": {"deletedMessageOffsets": {"0": -2, "1": 1}},
			"refusals": {{
				"code": 1,
				"name": "OFFSET_OUT_OF_RANGE",
				"message": "The offset -2 for partition shop.orders-0 is not valid",
			}},
		},
		"records of a compacted topic": {
			"operation": "DeleteRecords",
			"over": {"configs": {"cleanup.policy": "compact"}},
			"request": {"deletedMessageOffsets": {"1": -2}},
			"refusals": {{
				"code": 44,
				"name": "POLICY_VIOLATION",
				"message": "Records of partition shop.orders-1 can not be deleted due to the configured policy",
			}},
		},
		"records of a topic that is compacted and deleted": {
			"operation": "DeleteRecords",
			"over": {"configs": {"cleanup.policy": "compact,delete"}},
			"request": {"deletedMessageOffsets": {"1": 1}},
			"refusals": set(),
		},
		"records of no topic": {
			"operation": "DeleteRecords",
			"over": {},
			"request": {"topic": "shop.order", "deletedMessageOffsets": {"0": 1}},
			"refusals": {_hosting_errors},
		},
		"records of an internal topic": {
			"operation": "DeleteRecords",
			"over": {"internal": true},
			"request": {"deletedMessageOffsets": {"0": 1}},
			"refusals": {_internal},
		},
	}
	tc.refusals == topics.refusals(tc.operation, _delete(tc.operation, object.union(fixtures.topic, tc.over), tc.request))
}
