package kafka.rules.sizing

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: Replicas of the whole cluster under a cap
# description: |
#   A cluster carries only so many partitions before failover and start take minutes; one team must not use them up.
#   What is not counted is not under the cap.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-578%3A+Add+configuration+to+limit+number+of+partitions
# custom:
#   id: KFK-SIZ-002
#   severity: critical
#   controls: [SOC2 A1.1, ISO27001 A.8.6]
#   cap: true
#   operations: [CreateTopic, AlterTopic]
#   params:
#     maxPartitions: {type: integer, minimum: 1, description: Most replicas of partitions that the cluster may hold.}
#     excludePrefixes:
#       type: array
#       items: {type: string}
#       description: Topics whose names begin so may always be created.
#     whenUnknown:
#       type: string
#       enum: [deny, warn]
#       description: "The effect while the cluster's state does not tell how many there are: warn, or as the mode says."
#   messages:
#     unknown: it is not known how many replicas of partitions the cluster has
#     above: the cluster would have {total} replicas of partitions, above the maximum of {limit}
#   fixes:
#     unknown: >-
#       ask with a state that tells totals: warden replicate keeps one in OPA, with which --state replicated
#       asks, and its meta.missing says what it lacks and why
#     above: use fewer partitions, or delete topics that nobody uses; the cluster may hold {limit} replicas
deny contains violation.new(rego.metadata.rule(), args, ["numPartitions"], []) if {
	input.operation in {"CreateTopic", "AlterTopic"}
	params := input.params["KFK-SIZ-002"]
	more := _added_replica_count
	more > 0
	not strings.any_prefix_match(input.topic, params.excludePrefixes)
	args := _replica_total_args(more, params)
}

# METADATA
# description: What the cluster gains.
charge contains [["totals", "replicas"], _added_replica_count] if input.operation in {"CreateTopic", "AlterTopic"}

_replica_total_args(more, params) := {
	"case": "unknown",
	"effect": object.get(params, "whenUnknown", "deny"),
} if {
	not _is_replica_total_known
} else := {
	"case": "above",
	"total": total,
	"limit": params.maxPartitions,
} if {
	total := (cluster.part(input, "totals").replicas + cluster.pending(input, ["totals", "replicas"])) + more
	total > params.maxPartitions
}

_is_replica_total_known if is_number(cluster.part(input, "totals").replicas)
