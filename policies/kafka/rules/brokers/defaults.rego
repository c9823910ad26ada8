package kafka.rules.brokers

import data.kafka.base.bounds
import data.kafka.configs
import data.kafka.model.brokers
import data.kafka.violation

# METADATA
# title: The defaults of topics are safe
# description: |
#   Every topic that does not say otherwise inherits them, those of Kafka Streams, Connect and consoles among them.
#   Where a change of the brokers breaks a rule about topics too, that one has the names of the topics, and this one is
#   left out unless its mode is the more severe.
# related_resources:
#   - https://kafka.apache.org/documentation/#brokerconfigs_default.replication.factor
#   - https://kafka.apache.org/documentation/#brokerconfigs_min.insync.replicas
# custom:
#   id: KFK-BRK-002
#   severity: high
#   controls: [ISO27001 A.8.9]
#   order: {of: actual, from: limit}
#   operations: [AlterBroker, StartBroker, AuditBroker]
#   inherited: true
#   params:
#     bounds:
#       type: object
#       description: Least and greatest value of each number that topics inherit. A name in ms
#         stands for those in minutes and hours too.
#       additionalProperties:
#         type: object
#         additionalProperties: false
#         properties: {min: {type: integer}, max: {type: integer}}
#     required:
#       type: object
#       additionalProperties: {type: string}
#       description: The value of each other config that topics inherit.
#   messages:
#     bound: "{name} is {actual}, {direction} of {limit}, and topics that do not set it inherit it"
#     value: "{name} is {actual}, not {limit}, and topics that do not set it inherit it"
#   fix: set {name} to {limit}
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"AlterBroker", "StartBroker", "AuditBroker"}
	params := input.params["KFK-BRK-002"]
	values := brokers.known_values(input)
	some name, fault in _fault_by_unsafe_default(values, params)
	args := object.union(fault, {"name": name})
	patch := brokers.patch(input, name, $"{fault.limit}")
}

_fault_by_unsafe_default(values, params) := object.union(
	{name: object.union(broken, {"case": "bound"}) |
		some name, limits in params.bounds
		actual := _value_in_own_unit(name, values)
		broken := object.union(bounds.broken(actual, limits), {"actual": actual})
	},
	{name: {"case": "value", "limit": text, "actual": actual} |
		some name, text in params.required
		actual := values[name]
		not _is_read_as(name, text, actual)
	},
)

_is_read_as(name, text, actual) if configs.typed("broker", name, text) == actual

_is_read_as(name, text, actual) if {
	is_array(actual)
	_is_same_to_topics(name, text, concat(",", actual))
}
