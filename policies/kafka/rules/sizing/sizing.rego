package kafka.rules.sizing

# METADATA
# description: |
#   What the request adds. Partitions of a topic that is there may have other numbers of replicas than the first, so
#   that those which the request places are counted one by one; of a creation Kafka takes equal ones alone.
_added_replica_count := input.requested.numPartitions * input.requested.replicationFactor if {
	input.operation == "CreateTopic"
} else := _topic_replica_count(input.requested) - _topic_replica_count(input.current) if {
	not input.requested.generatedReplicaAssignments == false
} else := (_replica_count(_changed_assignments) - _replica_count(object.filter(
	_replica_assignments(input.current),
	object.keys(_changed_assignments),
))) + unplaced if {
	news := [partition | some partition, _ in _changed_assignments; not _replica_assignments(input.current)[partition]]
	unplaced := max([_added_partition_count - count(news), 0]) * input.requested.replicationFactor
}

_added_partition_count := input.requested.numPartitions if {
	input.operation == "CreateTopic"
} else := input.requested.numPartitions - _topic_partition_count(input.current)

_added_topic_count(null) := 1

_added_topic_count(current) := 0 if current != null

_topic_partition_count(null) := 0

_topic_partition_count(topic) := topic.numPartitions

_topic_replica_count(null) := 0

_topic_replica_count(topic) := topic.numPartitions * topic.replicationFactor

# The partitions that the request names replicas for which they have not yet.
_changed_assignments[partition] := replicas if {
	not input.requested.generatedReplicaAssignments
	some partition, replicas in input.requested.replicasAssignments
	replicas != object.get(_replica_assignments(input.current), partition, [])
}

_replica_assignments(null) := {}

_replica_assignments(topic) := topic.replicasAssignments

_replica_count(assignments) := sum([count(replicas) | some replicas in assignments])
