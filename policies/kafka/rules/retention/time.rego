# METADATA
# title: Retention
# description: How long and how much a topic keeps.
package kafka.rules.retention

import data.kafka.base.bounds
import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: retention.ms within bounds
# description: |
#   Too short loses data before it is read, too long keeps it beyond cost and law; -1 keeps it for ever, and so does an
#   empty cleanup.policy (KIP-1161), whatever retention.ms says.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_retention.ms
# custom:
#   id: KFK-RET-001
#   severity: high
#   controls: [SOC2 C1.2, PCI-DSS 3.2.1, ISO27001 A.5.33, ISO27001 A.8.10]
#   order: {of: actual, from: limit, unlimited: true}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   reversible: false
#   params:
#     min: {type: integer, direction: least, minimum: 0, description: Shortest retention in milliseconds.}
#     max: {type: integer, direction: greatest, minimum: 0, description: Longest retention in milliseconds.}
#     justifyLabel: {type: string, description: Label that justifies a retention above the maximum.}
#   messages:
#     bound: retention.ms {actual} is {direction} of {limit}
#     empty: retention.ms {actual}, as which an empty cleanup.policy counts, is {direction} of {limit}
#   fixes:
#     bound: set retention.ms to {limit}
#     empty: set retention.ms to {limit} and cleanup.policy to delete
deny contains violation.new(rego.metadata.rule(), args, ["configs", "retention.ms"], _ceiling_patch(broken.limit)) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-RET-001"]
	actual := _retention_in_force

	# The middle of the three is `actual` where it is within the bounds: nearly every topic calls no function.
	sort([params.min, actual, params.max])[1] != actual
	broken := bounds.broken_by_limit(actual, params)
	not _is_justified(actual, params)
	args := object.union(broken, {"case": _choose_by_policy("bound", "empty"), "actual": actual})
}

# Keeping longer can be justified, losing data sooner cannot.
_is_justified(actual, params) if {
	_is_longer(actual, params.max)
	topics.label(input.labels, params.justifyLabel, "") != ""
}
