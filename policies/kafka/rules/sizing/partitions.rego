# METADATA
# title: Capacity
# description: How much of a cluster one topic, request or team may take.
package kafka.rules.sizing

import data.kafka.base.bounds
import data.kafka.violation

# METADATA
# title: Partitions within bounds
# description: Every partition costs file handles, controller records and rebalance time, and cannot be taken back.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs
# custom:
#   id: KFK-SIZ-001
#   severity: high
#   controls: [SOC2 A1.1, ISO27001 A.8.6]
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     min: {type: integer, direction: least, minimum: 1, description: Least number of partitions of a topic.}
#     max: {type: integer, direction: greatest, minimum: 1, description: Greatest number of partitions of a topic.}
#   message: "{actual} partitions are {direction} of {limit}"
#   fix: use {limit} partitions
deny contains violation.new(rego.metadata.rule(), args, ["numPartitions"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-SIZ-001"]
	actual := input.requested.numPartitions
	limit := sort([params.min, actual, params.max])[1]
	limit != actual
	args := {"actual": actual, "direction": bounds.direction(actual, limit), "limit": limit}
	patch := [{"op": "replace", "path": "/numPartitions", "value": limit}]
}
