package kafka.rules.brokers

import data.kafka.model.brokers
import data.kafka.violation

# METADATA
# title: Listeners are encrypted and know who connects
# description: |
#   On a plaintext listener credentials and records can be read on the wire, and every
#   rule about who may do what is about nobody.
# related_resources:
#   - https://kafka.apache.org/documentation/#brokerconfigs_listeners
#   - https://kafka.apache.org/documentation/#brokerconfigs_listener.security.protocol.map
# custom:
#   id: KFK-BRK-005
#   severity: critical
#   controls: [SOC2 CC6.1, SOC2 CC6.7, PCI-DSS 2.2.7, PCI-DSS 4.2.1, PCI-DSS 8.3.1, ISO27001 A.8.5, ISO27001 A.8.24]
#   order: same
#   operations: [AlterBroker, StartBroker, AuditBroker]
#   params:
#     allowedProtocols:
#       type: array
#       items: {enum: [PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL]}
#       description: Security protocols that a listener may have.
#   message: listener {listener} speaks {protocol}, not {allowed}
#   fix: map the listener's name to one of {allowed} in listener.security.protocol.map
deny contains violation.new(rego.metadata.rule(), args, ["configs", "listeners"], []) if {
	input.operation in {"AlterBroker", "StartBroker", "AuditBroker"}
	params := input.params["KFK-BRK-005"]
	some listener in brokers.known_values(input).listeners
	trim_space(listener) != "" # which is not a listener, and KFK-LST-004's
	some protocol in _listener_protocols(upper(split(listener, ":")[0]))
	not protocol in params.allowedProtocols
	args := {"listener": listener, "protocol": protocol, "allowed": concat(" or ", params.allowedProtocols)}
}

# A name without a protocol of its own is one that Kafka takes for PLAINTEXT (a controller's), or refuses.
_listener_protocols(name) := mapped if {
	mapped := {mapping[1] | some mapping in _listener_protocol_pairs; mapping[0] == name}
	mapped != set()
} else := {"PLAINTEXT"}

_listener_protocol_pairs contains [upper(trim_space(parts[0])), upper(trim_space(parts[1]))] if {
	some entry in split(_protocol_map_text, ",")
	parts := split(entry, ":")
}

# The cluster-wide default may name listeners without their protocols.
_protocol_map_text := object.get(
	brokers.known_values(input),
	"listener.security.protocol.map",
	data.catalog.broker.defaults.configs["listener.security.protocol.map"],
)
