package kafka.rules.sizing

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: Not too many partitions in one request
# description: The controller writes a request's partitions as one batch and refuses the whole request above its limit.
# related_resources:
#   - https://github.com/apache/kafka/blob/4.3/metadata/src/main/java/org/apache/kafka/controller/ReplicationControlManager.java
# custom:
#   id: KFK-SIZ-007
#   severity: medium
#   cap: true
#   operations: [CreateTopic, AlterTopic]
#   params:
#     maxPerRequest: {type: integer, minimum: 1, description: Most partitions that a request may add.}
#   message: "{actual} new partitions in one request are above the maximum of {max}"
#   fix: create the topic with {max} partitions or fewer, and add the others in later requests
deny contains violation.new(rego.metadata.rule(), args, ["numPartitions"], []) if {
	input.operation in {"CreateTopic", "AlterTopic"}
	params := input.params["KFK-SIZ-007"]
	_added_partition_count > 0
	actual := cluster.pending(input, ["request", "partitions"]) + _added_partition_count
	actual > params.maxPerRequest
	args := {"actual": actual, "max": params.maxPerRequest}
}

# METADATA
# description: What the request adds.
charge contains [["request", "partitions"], _added_partition_count] if input.operation in {"CreateTopic", "AlterTopic"}
