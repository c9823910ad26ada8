package kafka.rules.sizing

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: Replicas of the whole cluster under a cap
# description: |
#   A cluster carries only so many partitions before failover and start take minutes; one tenant must not use them up.
#   What is not counted is not under the cap.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-578%3A+Add+configuration+to+limit+number+of+partitions
# custom:
#   id: KFK-SIZ-002
#   severity: critical
#   operations: [CreateTopic, AlterTopic]
#   params:
#     maxPartitions: {type: integer, minimum: 1, description: Most replicas of partitions that the cluster may hold.}
#     excludePrefixes:
#       type: array
#       items: {type: string}
#       description: Topics whose names begin so may always be created.
#   message: "{problem}"
#   fix: "{remedy}"
deny contains violation.new(rego.metadata.rule(), args, ["numPartitions"], []) if {
	input.operation in {"CreateTopic", "AlterTopic"}
	params := input.params["KFK-SIZ-002"]
	more := _replicas(input.requested) - _replicas(input.current)
	more > 0
	not strings.any_prefix_match(input.topic, params.excludePrefixes)
	args := _total_problem(more, params)
}

_total_problem(more, params) := {
	"problem": "it is not known how many replicas of partitions the cluster has",
	"remedy": cluster.remedy("totals"),
} if {
	not _known_total
} else := {
	"problem": $"the cluster would have {total} replicas of partitions, above the maximum of {params.maxPartitions}",
	"remedy": concat("", [
		"use fewer partitions, or delete topics that nobody uses; ",
		$"the cluster may hold {params.maxPartitions} replicas",
	]),
} if {
	total := cluster.part(input, "totals").replicas + more
	total > params.maxPartitions
}

_known_total if is_number(cluster.part(input, "totals").replicas)

_replicas(null) := 0

_replicas(topic) := topic.numPartitions * topic.replicationFactor

_partitions(null) := 0

_partitions(topic) := topic.numPartitions
