package kafka.rules.cleanup

import data.kafka.base.bounds
import data.kafka.violation

# METADATA
# title: min.cleanable.dirty.ratio within bounds
# description: Close to 0 the cleaner rewrites the same segments again and again, close to 1 it hardly ever does.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_min.cleanable.dirty.ratio
# custom:
#   id: KFK-CMP-004
#   severity: low
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     min:
#       type: number
#       direction: least
#       minimum: 0
#       maximum: 1
#       description: Least min.cleanable.dirty.ratio of a compacted topic.
#     max:
#       type: number
#       direction: greatest
#       minimum: 0
#       maximum: 1
#       description: Greatest min.cleanable.dirty.ratio of a compacted topic.
#   message: min.cleanable.dirty.ratio {actual} is {direction} of {limit}
#   fix: set min.cleanable.dirty.ratio to {limit}
deny contains violation.new(rego.metadata.rule(), args, ["configs", "min.cleanable.dirty.ratio"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	"compact" in input.effective.values["cleanup.policy"]
	params := input.params["KFK-CMP-004"]
	actual := input.effective.values["min.cleanable.dirty.ratio"]
	broken := bounds.broken(actual, params)
	patch := violation.addition("min.cleanable.dirty.ratio", json.marshal(broken.limit))
	args := object.union(broken, {"actual": actual})
}
