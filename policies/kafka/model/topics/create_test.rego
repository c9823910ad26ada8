package kafka.model.topics_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.topics

_create(request) := fixtures.document({"request": request})

# What rules see of a document about a topic, without what the caller said and without what is in force.
_prepared(document) := object.filter(whole, ["topic", "labels", "current", "requested", "change"]) if {
	whole := topics.prepared("CreateTopic", document, {"now": 0, "params": {}, "modes": {}, "stateAge": null})
}

_requested(fields) := object.union(
	{
		"numPartitions": 4,
		"replicationFactor": 3,
		"replicasAssignments": {},
		"generatedReplicaAssignments": true,
		"configs": {},
		"values": {},
		"requestedConfigs": {},
		"internal": false,
		"markedForDeletion": false,
		"reassigning": {},
	},
	fields,
)

test_create_whole if {
	document := _create({"configs": {"retention.ms": "5", "segment.ms": null}, "labels": {"owner": "a"}})
	_prepared(document) == {
		"topic": "shop.baskets",
		"labels": {"owner": "a"},
		"current": null,
		"requested": _requested({
			"configs": {"retention.ms": "5"},
			"values": {"retention.ms": 5},
			"requestedConfigs": {"retention.ms": "5"},
		}),
		"change": {
			"before": {},
			"after": {"retention.ms": "5"},
			"explicit": {"retention.ms": "5"},
			"implicitlyDeleted": [],
		},
	}
}

test_create_requested[note] if {
	some note, tc in {
		"the cluster's defaults where nothing is said": {"request": {}, "requested": {}},
		"the cluster's defaults for -1": {"request": {"numPartitions": -1, "replicationFactor": -1}, "requested": {}},
		"what is said": {
			"request": {"numPartitions": 7, "replicationFactor": 2},
			"requested": {"numPartitions": 7, "replicationFactor": 2},
		},
		"one said, one not": {"request": {"replicationFactor": 2}, "requested": {"replicationFactor": 2}},
		"assignments count for both": {
			"request": {"replicasAssignments": {"0": [1, 2], "1": [2, 3], "2": [3, 1]}},
			"requested": {
				"numPartitions": 3,
				"replicationFactor": 2,
				"replicasAssignments": {"0": [1, 2], "1": [2, 3], "2": [3, 1]},
				"generatedReplicaAssignments": false,
			},
		},
		"no assignments are none": {
			"request": {"numPartitions": 7, "replicasAssignments": {}},
			"requested": {"numPartitions": 7},
		},
	}
	_requested(tc.requested) == _prepared(_create(tc.request)).requested
}

test_create_internal[topic] if {
	some topic, is_internal in {
		"__consumer_offsets": true,
		"__transaction_state": true,
		"__share_group_state": true,
		"__cluster_metadata": false,
		"__consumer_offset": false,
	}
	is_internal == _prepared(_create({"topic": topic})).requested.internal
}

test_create_on_a_cluster_without_defaults_takes_those_of_kafka if {
	document := {"operation": "CreateTopic", "cluster": "c", "request": {"topic": "a"}, "clusterState": {}}
	_prepared(document).requested == _requested({"numPartitions": 1, "replicationFactor": 1})
}

_error(code, name, message) := {"code": code, "name": name, "message": message}

_bad_partitions := _error(37, "INVALID_PARTITIONS", "Number of partitions was set to an invalid non-positive value.")

_bad_factor := _error(
	38, "INVALID_REPLICATION_FACTOR",
	"Replication factor must be larger than 0, or -1 to use the default value.",
)

_not_minus_one(words) := _error(
	42, "INVALID_REQUEST",
	sprintf("A manual partition assignment was specified, but %s was not set to -1.", [words]),
)

_gaps := _error(39, "INVALID_REPLICA_ASSIGNMENT", "partitions should be a consecutive 0-based integer sequence")

# In the words of ReplicationControlManager (Kafka 4.3).
test_create_refusals[note] if {
	some note, tc in {
		"nothing wrong": {"request": {}, "refusals": set()},
		"numbers on the edge": {"request": {"numPartitions": 1, "replicationFactor": 1}, "refusals": set()},
		"defaults by -1": {"request": {"numPartitions": -1, "replicationFactor": -1}, "refusals": set()},
		"zero partitions": {"request": {"numPartitions": 0}, "refusals": {_bad_partitions}},
		"-2 partitions": {"request": {"numPartitions": -2}, "refusals": {_bad_partitions}},
		"zero replicas": {"request": {"replicationFactor": 0}, "refusals": {_bad_factor}},
		"-2 replicas": {"request": {"replicationFactor": -2}, "refusals": {_bad_factor}},
		"both": {"request": {"numPartitions": 0, "replicationFactor": 0}, "refusals": {_bad_partitions, _bad_factor}},
		"exists": {
			"request": {"topic": "shop.orders"},
			"refusals": {_error(36, "TOPIC_ALREADY_EXISTS", "Topic 'shop.orders' already exists.")},
		},
		"a name that only begins so": {"request": {"topic": "shop.order"}, "refusals": set()},
		"null configs in one sentence": {
			"request": {"configs": {"b": null, "a": null, "retention.ms": "5"}},
			"refusals": {_error(40, "INVALID_CONFIG", "Null value not supported for topic configs: a,b")},
		},
		"a value that Kafka refuses": {
			"request": {"configs": {"retention.ms": "x"}},
			"refusals": {_error(
				40, "INVALID_CONFIG",
				"Invalid value x for configuration retention.ms: Not a number of type LONG",
			)},
		},
		"assignments": {"request": {"replicasAssignments": {"0": [1], "1": [2]}}, "refusals": set()},
		"assignments with -1": {
			"request": {"replicasAssignments": {"0": [1]}, "numPartitions": -1, "replicationFactor": -1},
			"refusals": set(),
		},
		"assignments and numbers": {
			"request": {"replicasAssignments": {"0": [1]}, "numPartitions": 1, "replicationFactor": 1},
			"refusals": {_not_minus_one("numPartitions"), _not_minus_one("replication factor")},
		},
		"assignments with a gap": {"request": {"replicasAssignments": {"0": [1], "2": [1]}}, "refusals": {_gaps}},
		"assignments from one": {"request": {"replicasAssignments": {"1": [1]}}, "refusals": {_gaps}},
		"assignments spelt with zeros": {"request": {"replicasAssignments": {"00": [1]}}, "refusals": {_gaps}},
		"no assignments are none": {"request": {"replicasAssignments": {}, "numPartitions": 3}, "refusals": set()},
	}
	tc.refusals == topics.refusals("CreateTopic", _create(tc.request))
}
