package kafka.rules.governance

import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: The data class is given and allowed
# description: Retention, copies and placement depend on what the data is; unlabelled data gets the protection of none.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-201%3A+Rationalising+Policy+interfaces
# custom:
#   id: KFK-GOV-002
#   severity: medium
#   controls: [SOC2 C1.1, ISO27001 A.5.12, ISO27001 A.5.13]
#   operations: [CreateTopic, AuditTopic]
#   params:
#     labelKey: {type: string, description: Label that names the class of the data.}
#     allowed:
#       type: array
#       items: {type: string}
#       minItems: 1
#       description: The classes that there may be on a cluster.
#   messages:
#     missing: the topic has no label {labelKey}
#     other: data class "{class}" is not allowed here
#   fix: set the label {labelKey} to one of {allowed}
deny contains violation.new(rego.metadata.rule(), args, ["labels", params.labelKey], []) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	params := input.params["KFK-GOV-002"]
	_are_labels_expected
	class := topics.label(input.labels, params.labelKey, "")
	case := _class_case(class, params.allowed)
	args := {
		"case": case,
		"class": class,
		"labelKey": params.labelKey,
		"allowed": concat(", ", params.allowed),
	}
}

_class_case("", _) := "missing"

_class_case(class, allowed) := "other" if {
	class != ""
	not class in allowed
}
