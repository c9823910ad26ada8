package kafka.rules.brokers

import data.kafka.base.bounds
import data.kafka.model.brokers
import data.kafka.violation

# METADATA
# title: Retention and segments of a broker are within bounds
# description: |
#   What a broker keeps by default, all topics without an override keep; it is the
#   cheapest way to fill every disk, or to empty it. Where a change of the brokers breaks a rule about topics
#   too, that one has the names of the topics, and this one is left out unless its mode is the more severe.
# related_resources:
#   - https://kafka.apache.org/documentation/#brokerconfigs_log.retention.ms
#   - https://kafka.apache.org/documentation/#brokerconfigs_log.segment.bytes
# custom:
#   id: KFK-BRK-003
#   severity: medium
#   controls: [SOC2 C1.2, PCI-DSS 3.2.1, ISO27001 A.8.10]
#   order: {of: actual, from: limit, unlimited: true}
#   operations: [AlterBroker, StartBroker, AuditBroker]
#   inherited: true
#   params:
#     bounds:
#       type: object
#       description: Least and greatest value of each config. A name in ms stands for those in
#         minutes and hours too.
#       additionalProperties:
#         type: object
#         additionalProperties: false
#         properties: {min: {type: integer}, max: {type: integer}}
#   message: "{name} {actual} is {direction} of {limit}"
#   fix: set {name} to {limit}
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"AlterBroker", "StartBroker", "AuditBroker"}
	params := input.params["KFK-BRK-003"]
	some name, limits in params.bounds
	actual := _value_in_own_unit(name, brokers.known_values(input))
	broken := bounds.broken_by_limit(actual, limits)
	args := object.union(broken, {"name": name, "actual": actual})
	patch := brokers.patch(input, name, json.marshal(broken.limit))
}
