package kafka.rules.governance

import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: The domain label equals the name's prefix
# description: |
#   ACLs go by the name and reports by the label; where the two disagree, one of them is about somebody else's topic.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs
# custom:
#   id: KFK-GOV-003
#   severity: low
#   operations: [CreateTopic, AuditTopic]
#   named: always
#   params:
#     labelKey: {type: string, description: Label that names the domain.}
#     separator: {type: string, minLength: 1, description: What ends the domain in a topic's name.}
#   message: "label {labelKey} is \"{domain}\", and the topic's name \"{topic}\" does not begin with {prefix}"
#   fix: begin the name with {prefix}, or set the label {labelKey} to the domain that the name begins with
deny contains violation.new(rego.metadata.rule(), args, ["labels", params.labelKey], []) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	params := input.params["KFK-GOV-003"]
	domain := topics.label(input.labels, params.labelKey, "")
	domain != ""
	prefix := concat("", [domain, params.separator])
	not startswith(input.topic, prefix)
	args := {"labelKey": params.labelKey, "domain": domain, "topic": input.topic, "prefix": prefix}
}
