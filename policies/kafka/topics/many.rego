package kafka.topics

import data.kafka.errors

# METADATA
# description: |
#   What Kafka refuses of so many partitions that it does not look at the rest: those of a new topic, before all else
#   but the name of its own log (ReplicationControlManager and QuorumController, 4.3).
_too_many(document) := {errors.new("POLICY_VIOLATION", "Excessively large number of partitions per request.")} if {
	document.request.topic != "__cluster_metadata"
	_partitions(document, object.get(document.request, "replicasAssignments", {})) > data.catalog.limits.partitions
} else := set()

# A topic is a record too, and so is each of its configs. Where a topic grows a broker fails and says nothing.
_too_large(records) := {errors.new("POLICY_VIOLATION", "Unable to perform excessively large batch operation.")} if {
	records > data.catalog.limits.partitions
} else := set()

_records(document, overrides) := (1 + count(overrides)) + partitions if {
	partitions := _partitions(document, object.get(document.request, "replicasAssignments", {}))
} else := 0
