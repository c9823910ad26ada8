package kafka.rules.cleanup

import data.kafka.base.bounds
import data.kafka.violation

# METADATA
# title: Tombstones of compacted topics are kept within bounds
# description: A reader slower than delete.retention.ms never sees that a key was deleted; kept for long, they pile up.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_delete.retention.ms
# custom:
#   id: KFK-CMP-002
#   severity: high
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     min:
#       type: integer
#       direction: least
#       minimum: 0
#       description: Shortest delete.retention.ms of a compacted topic.
#     max:
#       type: integer
#       direction: greatest
#       minimum: 0
#       description: Longest delete.retention.ms of a compacted topic.
#   message: delete.retention.ms {actual} of a compacted topic is {direction} of {limit}
#   fix: set delete.retention.ms to {limit}
deny contains violation.new(rego.metadata.rule(), args, ["configs", "delete.retention.ms"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	"compact" in input.effective.values["cleanup.policy"]
	params := input.params["KFK-CMP-002"]
	actual := object.get(input.effective.values, "delete.retention.ms", 0)
	broken := bounds.broken(actual, params)
	patch := violation.addition("delete.retention.ms", json.marshal(broken.limit))
	args := object.union(broken, {"actual": actual})
}
