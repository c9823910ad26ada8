package kafka.rules.brokers

import data.kafka.cluster
import data.kafka.configs
import data.kafka.violation

# METADATA
# title: Brokers agree where they must
# description: |
#   Kafka does not compare the files of its brokers; where they differ, what a topic gets or who
#   is let in depends on which broker a client connects to.
# related_resources:
#   - https://kafka.apache.org/documentation/#brokerconfigs
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-201%3A+Rationalising+Policy+interfaces
# custom:
#   id: KFK-BRK-008
#   severity: high
#   controls: [PCI-DSS 2.2.1, ISO27001 A.8.9]
#   order: same
#   operations: [AlterBroker, StartBroker, AuditBroker]
#   params:
#     keys: {type: array, items: {type: string}, description: Configs that are the same on all brokers of a cluster.}
#   message: "{name} is {actual} on this broker, but {others}"
#   fix: give {name} the same value on every broker
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], []) if {
	input.operation in {"AlterBroker", "StartBroker", "AuditBroker"}
	params := input.params["KFK-BRK-008"]
	input.broker != ""
	known := cluster.part(input, "brokers")
	some name in params.keys
	shared := object.get(known, ["", "configs", name], _catalog_default_text(name))
	own := object.get(input.requested.configs, name, shared)
	others := [$"{json.marshal(value)} on broker {id}" |
		some id, broker in known
		text := object.get(broker.configs, name, shared)
		text != own # nearly always it is the same text
		not id in {"", input.broker}
		count(broker.configs) > 0 # those of a broker could not be read
		value := _typed_value_or_null(name, text)
		value != _typed_value_or_null(name, own)
		not _is_same_to_topics(name, text, own)
	]
	others != []
	args := {"name": name, "actual": json.marshal(_typed_value_or_null(name, own)), "others": concat(", ", others)}
}

# A few keys of each broker: all that is in force would be several hundred, and an argument is read whole.
_typed_value_or_null(name, text) := value if {
	value := configs.typed("broker", name, text)
} else := null

_catalog_default_text(name) := object.get(data.catalog.broker.defaults.configs, name, null)
