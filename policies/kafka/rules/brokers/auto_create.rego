package kafka.rules.brokers

import data.kafka.model.brokers
import data.kafka.violation

# METADATA
# title: Topics are not created by accident
# description: |
#   With automatic creation a misspelt name is a new topic, with the broker's defaults and nobody who answers
#   for it; Kafka asks policies, but not people.
# related_resources:
#   - https://kafka.apache.org/documentation/#brokerconfigs_auto.create.topics.enable
# custom:
#   id: KFK-BRK-001
#   severity: high
#   controls: [PCI-DSS 2.2.4, ISO27001 A.8.9]
#   order: same
#   operations: [AlterBroker, StartBroker, AuditBroker]
#   params: {}
#   messages:
#     set: auto.create.topics.enable is true
#     default: auto.create.topics.enable is true, which Kafka takes it to be where it is not set
#   fix: set auto.create.topics.enable to false
deny contains violation.new(rego.metadata.rule(), args, ["configs", "auto.create.topics.enable"], patch) if {
	input.operation in {"AlterBroker", "StartBroker", "AuditBroker"}
	input.params["KFK-BRK-001"]
	brokers.known_values(input)["auto.create.topics.enable"] == true
	args := {"case": _auto_create_case}
	patch := brokers.patch(input, "auto.create.topics.enable", "false")
}

# Nothing but a broker's file sets it.
default _auto_create_case := "default"

_auto_create_case := "set" if input.requested.configs["auto.create.topics.enable"]
