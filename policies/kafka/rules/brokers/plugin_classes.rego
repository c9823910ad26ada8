package kafka.rules.brokers

import data.kafka.model.brokers
import data.kafka.violation

# METADATA
# title: The classes of Warden's plugin stand together
# description: |
#   Kafka takes one authorizer and one policy of each kind, and the plugin's three classes decide
#   together: a controller with another class beside them does not start.
# related_resources:
#   - https://kafka.apache.org/documentation/#brokerconfigs_authorizer.class.name
#   - https://kafka.apache.org/documentation/#brokerconfigs_create.topic.policy.class.name
#   - https://kafka.apache.org/documentation/#brokerconfigs_alter.config.policy.class.name
# custom:
#   id: KFK-BRK-014
#   severity: critical
#   controls: [PCI-DSS 2.2.6, ISO27001 A.8.9]
#   order: same
#   operations: [StartBroker, AuditBroker]
#   params:
#     classes:
#       type: object
#       additionalProperties: {type: string}
#       description: The plugin's class for each config; a file that has one of them needs them all.
#   messages:
#     unset: "{name} is not set beside {own}: the classes of Warden's plugin decide together"
#     other: "{name} is {class} beside {own}: Kafka takes one class, and those of Warden's plugin decide together"
#   fix: set {name} to {wanted}, or take all of the plugin's classes out
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], brokers.patch(input, name, wanted)) if {
	input.operation in {"StartBroker", "AuditBroker"}
	params := input.params["KFK-BRK-014"]
	"controller" in brokers.known_values(input)["process.roles"]
	own := [wanted | some name, wanted in params.classes; _configured_class(name, input.requested.configs) == wanted]
	own != []
	some name, wanted in params.classes
	class := _configured_class(name, input.requested.configs)
	class != wanted
	args := {"case": _class_case(class), "name": name, "class": class, "own": concat(" and ", own), "wanted": wanted}
}

_class_case("") := "unset"

_class_case(class) := "other" if class != ""
