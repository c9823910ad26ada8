package kafka.rules.governance

import data.kafka.base.bounds
import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: A description, neither too short nor too long
# description: What a topic carries is looked for by people who have never heard of it.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-201%3A+Rationalising+Policy+interfaces
# custom:
#   id: KFK-GOV-004
#   severity: info
#   controls: [ISO27001 A.5.9]
#   operations: [CreateTopic, AuditTopic]
#   params:
#     labelKey: {type: string, description: Label that holds the description.}
#     min: {type: integer, minimum: 0, description: Shortest description in characters; a missing one has none.}
#     max: {type: integer, minimum: 1, description: Longest description in characters.}
#   message: the description has {actual} characters, {direction} of {limit}
#   fix: say in the label {labelKey} what the topic carries, in {min} to {max} characters
deny contains violation.new(rego.metadata.rule(), args, ["labels", params.labelKey], []) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	params := input.params["KFK-GOV-004"]
	_are_labels_expected
	actual := count(topics.label(input.labels, params.labelKey, ""))
	broken := bounds.broken(actual, params)
	args := object.union(broken, {"actual": actual, "labelKey": params.labelKey, "min": params.min, "max": params.max})
}
