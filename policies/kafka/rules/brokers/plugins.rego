package kafka.rules.brokers

import data.kafka.model.brokers
import data.kafka.violation

# METADATA
# title: The classes that guard a cluster stay in place
# description: |
#   Whoever exchanges the authorizer or a policy for another class, or leaves it out of a
#   file, turns the guard off at the next restart.
# related_resources:
#   - https://kafka.apache.org/documentation/#brokerconfigs_authorizer.class.name
#   - https://kafka.apache.org/documentation/#brokerconfigs_create.topic.policy.class.name
# custom:
#   id: KFK-BRK-009
#   severity: critical
#   controls: [SOC2 CC6.1, PCI-DSS 2.2.6, ISO27001 A.8.9]
#   order: same
#   operations: [AlterBroker, StartBroker, AuditBroker]
#   params:
#     classes:
#       type: object
#       additionalProperties: {type: string}
#       description: "The class that each config must name; \"\" where it may be any, but not exchanged."
#     extends:
#       type: object
#       additionalProperties: {type: string}
#       description: "A class that may take another one's place: it extends it."
#   message: "{name} is \"{actual}\", and must be \"{expected}\""
#   fix: set {name} to {expected}, or change the settings with whoever answers for the cluster's security
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], brokers.patch(input, name, expected)) if {
	input.operation in {"AlterBroker", "StartBroker", "AuditBroker"}
	params := input.params["KFK-BRK-009"]
	input.broker != ""
	some name, class in params.classes
	expected := _expected_class(name, class)
	expected != ""
	actual := _configured_class(name, input.requested.configs)
	actual != expected
	object.get(params.extends, actual, "") != expected
	args := {"name": name, "actual": actual, "expected": expected}
}

_expected_class(_, class) := class if class != ""

# What the cluster has of the broker; one that it has never seen has nothing to exchange.
_expected_class(name, "") := _configured_class(name, brokers.stored(input))
