package kafka.rules.governance

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: A topic exists in the cluster before
# description: What reaches production without having been anywhere else was never tried.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-201%3A+Rationalising+Policy+interfaces
# custom:
#   id: KFK-GOV-005
#   severity: medium
#   controls: [SOC2 CC8.1, ISO27001 A.8.32]
#   operations: [CreateTopic, AuditTopic]
#   named: always
#   params:
#     order:
#       type: array
#       items: {type: string, format: glob}
#       description: "Names of clusters in the order of promotion, first the one where topics begin; in a cluster's
#         own name * matches any characters."
#   messages:
#     unknown: topic "{topic}" cannot be looked up in cluster {before}, of which nothing is known
#     absent: topic "{topic}" is not in cluster {before}
#   fix: create the topic in cluster {before} first
deny contains violation.new(rego.metadata.rule(), args, ["topic"], []) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	params := input.params["KFK-GOV-005"]
	not input.requested.internal
	before := _cluster_before(params.order)
	args := {"case": _promotion_case(before), "topic": input.topic, "before": before}
}

# The cluster before this one; undefined for the first and for those that are not in the order.
_cluster_before(order) := before if {
	place := min({i | some i, name in order; glob.match(name, null, input.cluster)})
	before := order[place - 1]
}

_promotion_case(before) := "unknown" if {
	not cluster.has_topics(before)
} else := "absent" if {
	not cluster.topic({"cluster": before}, input.topic)
}
