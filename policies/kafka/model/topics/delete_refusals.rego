package kafka.model.topics

import data.kafka.base.errors
import data.kafka.configs

# METADATA
# description: What Kafka says of a topic or a partition that is not there, be it deleted or its records.
_unknown_topic_errors := {errors.new("UNKNOWN_TOPIC_OR_PARTITION", "This server does not host this topic-partition.")}

_delete_refusals(document) := set() if {
	stored(document)
} else := _unknown_topic_errors

# The leader of each partition refuses, one after the other (kafka.server.ReplicaManager and kafka.cluster.Partition,
# 4.3). Its words are in its log: a response to DeleteRecords has codes only. Where a partition ends only it knows.
_delete_records_refusals(document) := _unknown_topic_errors if {
	some partition, _ in document.request.deletedMessageOffsets
	not stored(document).replicasAssignments[partition]
} else := {errors.new("INVALID_TOPIC_EXCEPTION", message)} if {
	stored(document).internal
	message := $"Cannot delete records of internal topic {document.request.topic}"
} else := {errors.new("POLICY_VIOLATION", message) |
	some partition, _ in document.request.deletedMessageOffsets
	message := concat("", [
		$"Records of partition {document.request.topic}-{partition} ",
		"can not be deleted due to the configured policy",
	])
} if {
	policy := object.union(configs.topic_defaults(document), _topic_state(stored(document)).values)["cleanup.policy"]
	"compact" in policy
	not "delete" in policy
} else := {errors.new("OFFSET_OUT_OF_RANGE", message) |
	some partition, offset in document.request.deletedMessageOffsets
	offset < -1
	message := $"The offset {offset} for partition {document.request.topic}-{partition} is not valid"
} if {
	stored(document)
} else := _unknown_topic_errors
