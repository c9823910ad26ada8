package kafka.model.topics_test

import data.kafka.model.topics

_stored := {
	"numPartitions": 2,
	"replicationFactor": 3,
	"replicasAssignments": {"0": [1, 2, 3], "1": [2, 3, 4]},
	"configs": {},
	"labels": {},
	"internal": false,
	"markedForDeletion": false,
	"reassigning": {"1": {"adding": [4], "removing": [1]}},
}

_error_pairs(operation, request) := {[refusal.name, refusal.message] |
	some refusal in topics.refusals(operation, {
		"operation": operation,
		"cluster": "prod-eu",
		"request": object.union({"topic": "a"}, request),
		"clusterState": {"topics": object.filter({"a": _stored}, {"a" | operation != "CreateTopic"})},
	})
}

_inconsistent := concat("", [
	"The manual partition assignment includes a partition with 1 replica(s), but this is not consistent with previous ",
	"partitions, which have 3 replica(s).",
])

_two_of(field) := sprintf(
	"replicationFactor says how many replicas are wanted, %s where they go: give one of the two.",
	[field],
)

test_assignments[note] if {
	some note, tc in {
		"of a new topic, none": {"operation": "CreateTopic", "request": {}, "refused": set()},
		"of a new topic": {
			"operation": "CreateTopic",
			"request": {"replicasAssignments": {"0": [1, 2], "1": [2, 3]}},
			"refused": set(),
		},
		"a broker twice": {
			"operation": "CreateTopic",
			"request": {"replicasAssignments": {"0": [1, 1, 1]}},
			"refused": {["INVALID_REPLICA_ASSIGNMENT", "The manual partition assignment includes the broker 1 more than once."]},
		},
		"an empty list": {
			"operation": "CreateTopic",
			"request": {"replicasAssignments": {"0": []}},
			"refused": {["INVALID_REPLICA_ASSIGNMENT", "The manual partition assignment includes an empty replica list."]},
		},
		"lists of other lengths": {
			"operation": "CreateTopic",
			"request": {"replicasAssignments": {"0": [1, 2, 3], "1": [1]}},
			"refused": {["INVALID_REPLICA_ASSIGNMENT", _inconsistent]},
		},
		"of new partitions": {
			"operation": "AlterTopic",
			"request": {"numPartitions": 3, "newAssignments": [[1, 2, 3]]},
			"refused": set(),
		},
		"of fewer new partitions": {
			"operation": "AlterTopic",
			"request": {"numPartitions": 4, "newAssignments": [[1, 2, 3]]},
			"refused": {[
				"INVALID_REPLICA_ASSIGNMENT",
				"Attempted to add 2 additional partition(s), but only 1 assignment(s) were specified.",
			]},
		},
		"of no new partitions": {
			"operation": "AlterTopic",
			"request": {"newAssignments": [[1, 2, 3]]},
			"refused": {["INVALID_REQUEST", "newAssignments was specified without numPartitions."]},
		},
		"of new partitions with fewer replicas": {
			"operation": "AlterTopic",
			"request": {"numPartitions": 3, "newAssignments": [[1]]},
			"refused": {["INVALID_REPLICA_ASSIGNMENT", _inconsistent]},
		},
		"moved and cancelled": {
			"operation": "AlterTopic",
			"request": {"reassignments": {"0": [4, 5], "1": null}},
			"refused": set(),
		},
		"moved to as many": {
			"operation": "AlterTopic",
			"request": {"reassignments": {"0": [4, 5, 6], "1": null}, "allowReplicationFactorChange": false},
			"refused": set(),
		},
		"moved to fewer, to others or not at all": {
			"operation": "AlterTopic",
			"request": {"reassignments": {"0": [4, 5]}, "allowReplicationFactorChange": true},
			"refused": set(),
		},
		"moved to fewer than may be": {
			"operation": "AlterTopic",
			"request": {"reassignments": {"0": [4, 5]}, "allowReplicationFactorChange": false},
			"refused": {["INVALID_REPLICATION_FACTOR", "The replication factor is changed from 3 to 2"]},
		},
		"moved to one broker twice": {
			"operation": "AlterTopic",
			"request": {"reassignments": {"0": [4, 4]}},
			"refused": {["INVALID_REPLICA_ASSIGNMENT", "The manual partition assignment includes the broker 4 more than once."]},
		},
		"a number of replicas": {"operation": "AlterTopic", "request": {"replicationFactor": 1}, "refused": set()},
		"no replicas": {
			"operation": "AlterTopic",
			"request": {"replicationFactor": 0},
			"refused": {["INVALID_REPLICATION_FACTOR", "Replication factor must be larger than 0."]},
		},
		"as many replicas as by default": {
			"operation": "AlterTopic",
			"request": {"replicationFactor": -1},
			"refused": {["INVALID_REPLICATION_FACTOR", "Replication factor must be larger than 0."]},
		},
		"a number of replicas and their places": {
			"operation": "AlterTopic",
			"request": {"replicationFactor": 2, "reassignments": {"0": [4, 5]}, "allowReplicationFactorChange": true},
			"refused": {["INVALID_REQUEST", _two_of(field)] | some field in ["reassignments", "allowReplicationFactorChange"]},
		},
		"a number of replicas and places of new ones": {
			"operation": "AlterTopic",
			"request": {"replicationFactor": 3, "numPartitions": 3, "newAssignments": [[1, 2, 3]]},
			"refused": {["INVALID_REQUEST", _two_of("newAssignments")]},
		},
		"a partition that is not there": {
			"operation": "AlterTopic",
			"request": {"reassignments": {"99": [1, 2, 3]}},
			"refused": {["UNKNOWN_TOPIC_OR_PARTITION", "Unable to find partition a:99."]},
		},
		"cancelled, and none is running": {
			"operation": "AlterTopic",
			"request": {"reassignments": {"0": null}},
			"refused": {["NO_REASSIGNMENT_IN_PROGRESS", "No partition reassignment is in progress."]},
		},
	}
	tc.refused == _error_pairs(tc.operation, tc.request)
}

_stranger(broker) := concat("", [
	"The manual partition assignment includes broker ", broker, ", but no such broker is registered.",
])

_too_few(factor, brokers) := concat("", [
	sprintf(
		"Unable to replicate the partition %d time(s): The target replication factor of %d cannot be reached ",
		[factor, factor],
	),
	sprintf(
		"because only %d broker(s) are registered or some brokers have all their log directories cordoned.",
		[brokers],
	),
])

test_brokers_that_are_not[note] if {
	some note, tc in {
		"assigned to those that are": {
			"operation": "CreateTopic",
			"request": {"replicasAssignments": {"0": [1, 2, 3]}},
			"refused": set(),
		},
		"assigned to others": {
			"operation": "CreateTopic",
			"request": {"replicasAssignments": {"0": [1, 9, 8], "1": [2, 1, 10]}},
			"refused": {["INVALID_REPLICA_ASSIGNMENT", _stranger("8")], ["INVALID_REPLICA_ASSIGNMENT", _stranger("10")]},
		},
		"grown to others": {
			"operation": "AlterTopic",
			"request": {"numPartitions": 3, "newAssignments": [[1, 2, 9]]},
			"refused": {["INVALID_REPLICA_ASSIGNMENT", _stranger("9")]},
		},
		"moved to others, and one cancelled": {
			"operation": "AlterTopic",
			"request": {"reassignments": {"0": [1, 2, 9], "1": null}},
			"refused": {["INVALID_REPLICA_ASSIGNMENT", _stranger("9")]},
		},
		"as many replicas as brokers": {"operation": "CreateTopic", "request": {"replicationFactor": 4}, "refused": set()},
		"more replicas than brokers": {
			"operation": "CreateTopic",
			"request": {"replicationFactor": 5},
			"refused": {["INVALID_REPLICATION_FACTOR", _too_few(5, 4)]},
		},
		"as many replicas as brokers, beside a default of all": {
			"operation": "CreateTopic",
			"request": {"replicationFactor": 2},
			"brokers": {"": {}, "1": {}, "2": {}},
			"refused": set(),
		},
		"more replicas than brokers, beside a default of all": {
			"operation": "CreateTopic",
			"request": {"replicationFactor": 3},
			"brokers": {"": {}, "1": {}, "2": {}},
			"refused": {["INVALID_REPLICATION_FACTOR", _too_few(3, 2)]},
		},
		"a default of all is all that is known": {
			"operation": "CreateTopic",
			"request": {"replicationFactor": 3},
			"brokers": {"": {}},
			"refused": set(),
		},
		"more by default": {
			"operation": "CreateTopic",
			"request": {},
			"defaults": {"default.replication.factor": "6"},
			"refused": {["INVALID_REPLICATION_FACTOR", _too_few(6, 4)]},
		},
		"it is not known which brokers there are": {
			"operation": "CreateTopic",
			"request": {"replicationFactor": 5},
			"brokers": {},
			"refused": set(),
		},
	}
	document := {
		"operation": tc.operation,
		"cluster": "prod-eu",
		"request": object.union({"topic": "a"}, tc.request),
		"clusterState": {
			"brokers": object.get(tc, "brokers", {"1": {}, "2": {}, "3": {}, "4": {}}),
			"defaults": object.get(tc, "defaults", {}),
			"topics": object.filter({"a": _stored}, {"a" | tc.operation != "CreateTopic"}),
		},
	}
	tc.refused == {[refusal.name, refusal.message] | some refusal in topics.refusals(tc.operation, document)}
}
