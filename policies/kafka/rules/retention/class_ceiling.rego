package kafka.rules.retention

import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: Retention no longer than the class of data allows
# description: The law limits how long personal data may be kept; a topic of no known class might hold any.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_retention.ms
#   - https://eur-lex.europa.eu/eli/reg/2016/679/oj
# custom:
#   id: KFK-RET-003
#   severity: critical
#   controls: [SOC2 C1.2, PCI-DSS 3.2.1, ISO27001 A.8.10]
#   order: {of: actual, from: limit, unlimited: true}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   reversible: false
#   params:
#     labelKey: {type: string, minLength: 1, description: Label that names the class of data.}
#     byClass:
#       type: object
#       required: ["*"]
#       additionalProperties: {type: integer, minimum: 0}
#       description: Longest retention in milliseconds by class; "*" is for every other class and for none.
#   message: records are kept {kept}, longer than the {limit} ms allowed where {labelKey} is {class}
#   fixes:
#     bound: set retention.ms to {limit}
#     empty: set retention.ms to {limit} and cleanup.policy to delete
deny contains violation.new(rego.metadata.rule(), args, ["configs", "retention.ms"], _ceiling_patch(limit)) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-RET-003"]
	class := topics.label(input.labels, params.labelKey, "missing")
	limit := object.get(params.byClass, class, params.byClass["*"])
	actual := _longest_retention
	_is_longer(actual, limit)
	args := {
		"case": _choose_by_policy("bound", "empty"),
		"kept": _duration_text(actual),
		"actual": actual,
		"limit": limit,
		"labelKey": params.labelKey,
		"class": class,
	}
}
