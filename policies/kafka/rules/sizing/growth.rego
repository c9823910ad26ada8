package kafka.rules.sizing

import data.kafka.base.bounds
import data.kafka.violation

# METADATA
# title: Partitions grow step by step
# description: One digit too many makes a thousand partitions of a hundred, and partitions cannot be taken back.
# related_resources:
#   - https://kafka.apache.org/documentation/#basic_ops_modify_topic
# custom:
#   id: KFK-SIZ-005
#   severity: medium
#   operations: [AlterTopic]
#   params:
#     maxIncrease: {type: integer, minimum: 1, description: Most partitions that one request may add.}
#     maxFactor:
#       type: number
#       minimum: 1
#       description: Most times as many partitions as there were; one more may always be added.
#   messages:
#     step: the request would take the topic from {before} to {after} partitions, which adds more than {most}
#     factor: the request would take the topic from {before} to {after} partitions, more than {most} times as many
#   fix: ask for {limit} partitions or fewer at once
deny contains violation.new(rego.metadata.rule(), args, ["numPartitions"], []) if {
	input.operation == "AlterTopic"
	params := input.params["KFK-SIZ-005"]
	before := input.current.numPartitions
	after := input.requested.numPartitions
	after > before
	limits := {
		"step": before + params.maxIncrease,
		"factor": max([before + 1, bounds.share(before, params.maxFactor)]),
	}
	problem := _growth_args(after, limits, params)
	limit := min([limits.step, limits.factor])
	args := object.union(problem, {"before": before, "after": after, "limit": limit})
}

_growth_args(after, limits, params) := {"case": "step", "most": params.maxIncrease} if {
	after > limits.step
} else := {"case": "factor", "most": params.maxFactor} if {
	after > limits.factor
}
