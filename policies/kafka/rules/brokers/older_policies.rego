package kafka.rules.brokers

import data.kafka.violation

# METADATA
# title: The older policies of brokers are on their way out
# description: |
#   KIP-201 deprecates CreateTopicPolicy and AlterConfigPolicy: a broker that names one of them
#   is to say so in its log. They see neither who asks nor, of a change, what was before.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-201%3A+Rationalising+Policy+interfaces
#   - https://kafka.apache.org/documentation/#brokerconfigs_create.topic.policy.class.name
#   - https://kafka.apache.org/documentation/#brokerconfigs_alter.config.policy.class.name
# custom:
#   id: KFK-BRK-013
#   severity: low
#   order: same
#   operations: [StartBroker, AuditBroker]
#   params:
#     allow:
#       type: array
#       items: {type: string}
#       description: Classes about which nothing is said, as those of Warden's own plugin, which has no other way in.
#   message: "{name} is deprecated by KIP-201, and names {class}"
#   fix: decide at Warden's gateway or by its plugin, and leave {name} to the plugin's class
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], []) if {
	input.operation in {"StartBroker", "AuditBroker"}
	params := input.params["KFK-BRK-013"]
	some name in ["create.topic.policy.class.name", "alter.config.policy.class.name"]
	class := _configured_class(name, input.requested.configs)
	not class in params.allow
	class != ""
	args := {"name": name, "class": class}
}
