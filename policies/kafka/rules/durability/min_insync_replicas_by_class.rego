package kafka.rules.durability

import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: min.insync.replicas high enough for the class of data
# description: Data that must not be lost is acknowledged by more brokers than the rest.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
# custom:
#   id: KFK-DUR-004
#   severity: high
#   controls: [SOC2 A1.2, SOC2 PI1.5, ISO27001 A.8.14]
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     labelKey: {type: string, minLength: 1, description: Label that names the class of data.}
#     byClass:
#       type: object
#       required: ["*"]
#       additionalProperties: {type: integer, minimum: 1}
#       description: Least min.insync.replicas by class; "*" is for every other class and for none.
#   message: min.insync.replicas {actual} is below {limit}, the minimum where {labelKey} is {class}
#   fix: set min.insync.replicas to {limit}
deny contains violation.new(rego.metadata.rule(), args, ["configs", "min.insync.replicas"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-DUR-004"]
	class := topics.label(input.labels, params.labelKey, "missing")
	limit := object.get(params.byClass, class, params.byClass["*"])
	actual := object.get(input.effective.values, "min.insync.replicas", 0)
	actual < limit
	args := {"actual": actual, "limit": limit, "labelKey": params.labelKey, "class": class}
	patch := violation.addition("min.insync.replicas", json.marshal(limit))
}
