package kafka.model.topics

import data.kafka.base.errors

# METADATA
# description: |
#   What Kafka refuses of so many partitions that it does not look at the rest: those of a new topic, before all else
#   but the name of its own log (ReplicationControlManager and QuorumController, 4.4).
_partition_limit_errors(document) := {errors.new("POLICY_VIOLATION", message)} if {
	_partition_count(document, object.get(document.request, "replicasAssignments", {})) > data.catalog.limits.partitions
	document.request.topic != "__cluster_metadata"
	message := "Excessively large number of partitions per request."
}

# METADATA
# description: What Kafka refuses, before all else, of a topic that grows by so many partitions.
_added_partition_limit_errors(request, topic) := {errors.new("POLICY_VIOLATION", message) |
	message := "Excessively large number of additional partitions per request."
} if {
	request.numPartitions - topic.numPartitions > data.catalog.limits.partitions
}

# A topic is a record too, and so is each of its configs.
_batch_errors(records) := {errors.new("POLICY_VIOLATION", "Unable to perform excessively large batch operation.")} if {
	records > data.catalog.limits.partitions
} else := set()

_creation_record_count(document, overrides) := (1 + count(overrides)) + partitions if {
	partitions := _partition_count(document, object.get(document.request, "replicasAssignments", {}))
} else := 0
