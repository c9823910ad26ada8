package kafka.rules.retention

import data.kafka.violation

# METADATA
# title: Retention set on the topic itself
# description: What a topic inherits changes with the cluster's defaults, and nobody who relies on it has a say.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_retention.ms
# custom:
#   id: KFK-RET-007
#   severity: low
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     keys:
#       type: array
#       items: {enum: [retention.ms, retention.bytes]}
#       description: What the topic has to set itself.
#   message: "{name} is not set on the topic: it has the cluster's {actual} for as long as that stays"
#   fix: set {name} on the topic, to {actual} if that is what you want
deny contains violation.new(rego.metadata.rule(), {"name": name, "actual": actual}, ["configs", name], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	"delete" in input.effective.values["cleanup.policy"]
	params := input.params["KFK-RET-007"]
	some name in params.keys
	not input.requested.configs[name]
	actual := input.effective.values[name]
	patch := violation.addition(name, json.marshal(actual))
}
