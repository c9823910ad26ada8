package kafka.rules.governance

import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: The owner label names a known team
# description: A topic without an owner can be paged to nobody, charged to nobody and never be deleted.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-201%3A+Rationalising+Policy+interfaces
# custom:
#   id: KFK-GOV-001
#   severity: medium
#   controls: [ISO27001 A.5.9]
#   operations: [CreateTopic, AuditTopic]
#   params:
#     labelKey: {type: string, description: Label that names the owner.}
#     ownerPattern: {type: string, format: regex, description: Regular expression (RE2) that an owner must match.}
#     teams: {type: object, description: "Known teams by name, with whatever the site keeps of them; empty: any team."}
#   messages:
#     missing: the topic has no label {labelKey}
#     pattern: owner "{owner}" does not match {ownerPattern}
#     unknown: owner "{owner}" is no known team
#   fix: set the label {labelKey} to the team that answers for the topic
deny contains violation.new(rego.metadata.rule(), args, ["labels", params.labelKey], []) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	params := input.params["KFK-GOV-001"]
	_are_labels_expected
	owner := topics.label(input.labels, params.labelKey, "")
	args := {
		"case": _owner_case(owner, params),
		"owner": owner,
		"labelKey": params.labelKey,
		"ownerPattern": params.ownerPattern,
	}
}

_owner_case(owner, params) := "missing" if {
	owner == ""
} else := "pattern" if {
	not regex.match(params.ownerPattern, owner)
} else := "unknown" if {
	params.teams != {}
	not params.teams[owner]
}
