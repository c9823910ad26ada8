package kafka.rules.durability

import data.kafka.violation

# METADATA
# title: min.insync.replicas high enough
# description: |
#   With 1, acks=all is content with one replica where no other is in sync; losing that broker loses what was
#   acknowledged.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
# custom:
#   id: KFK-DUR-003
#   severity: high
#   controls: [SOC2 A1.2, SOC2 PI1.5, ISO27001 A.8.14]
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     min: {type: integer, direction: least, minimum: 1, description: Fewest in-sync replicas to write with acks=all.}
#     requireExplicit:
#       type: boolean
#       description: Whether the topic has to set it itself and not inherit it from the cluster.
#   messages:
#     below: min.insync.replicas {actual} is below the minimum of {limit}
#     inherited: min.insync.replicas {actual} is inherited from the cluster, not set on the topic
#   fix: set min.insync.replicas to {wanted} on the topic
deny contains violation.new(rego.metadata.rule(), args, ["configs", "min.insync.replicas"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-DUR-003"]
	actual := object.get(input.effective.values, "min.insync.replicas", 0)

	# What is inherited counts for nothing where the topic has to say it.
	inherited := object.get({true: 0}, params.requireExplicit, actual)
	object.get(input.requested.values, "min.insync.replicas", inherited) < params.min
	wanted := max([actual, params.min])
	args := {"actual": actual, "limit": params.min, "case": _floor_case(actual, params.min), "wanted": wanted}
	patch := violation.addition("min.insync.replicas", json.marshal(wanted))
}

_floor_case(actual, least) := "below" if {
	actual < least
} else := "inherited"
