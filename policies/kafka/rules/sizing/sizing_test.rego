package kafka.rules.sizing_test

import data.kafka.rules.sizing as family

# A topic of two partitions with two replicas, and one with three.
_uneven_topic := {
	"numPartitions": 3,
	"replicationFactor": 2,
	"replicasAssignments": {"0": [1, 2], "1": [2, 3], "2": [1, 2, 3]},
}

# Replicas are counted partition by partition where the request places them.
test_replicas_that_are_placed[note] if {
	some note, tc in {
		"none": {"placed": {}, "total": 8, "broken": false},
		"another than the first gets more": {"placed": {"1": [1, 2, 3]}, "total": 9, "broken": true},
		"the first alone gets more": {"placed": {"0": [1, 2, 3]}, "replicationFactor": 3, "total": 9, "broken": true},
		"as many on other brokers": {"placed": {"1": [1, 3], "2": [3, 4, 1]}, "total": 8, "broken": false},
		"one gets more and another less": {"placed": {"0": [1], "1": [1, 2, 3]}, "total": 8, "broken": false},
		"a new one with more than the first": {"numPartitions": 4, "placed": {"3": [1, 2, 3]}, "total": 11, "broken": true},
		"a new one that kafka places": {"numPartitions": 4, "placed": {"0": [2, 1]}, "total": 10, "broken": true},
	}
	requested := object.union_n([
		_uneven_topic,
		object.filter(tc, ["numPartitions", "replicationFactor"]),
		{
			"generatedReplicaAssignments": false,
			"replicasAssignments": object.union(_uneven_topic.replicasAssignments, tc.placed),
		},
	])
	deny := family.deny with input as {
		"operation": "AlterTopic",
		"topic": "shop.orders",
		"params": {"KFK-SIZ-002": {"maxPartitions": tc.total - 1, "excludePrefixes": []}},
		"current": _uneven_topic,
		"requested": requested,
		"clusterState": {"totals": {"replicas": 8}},
	}
	is_broken := count(deny) > 0
	tc.broken == is_broken
	every violation in deny { contains(violation.message, $"would have {tc.total} replicas") }
}
