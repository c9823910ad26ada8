package kafka.rules.brokers

import data.kafka.model.brokers
import data.kafka.violation

# METADATA
# title: Listeners are encrypted and know who connects
# description: |
#   On a plaintext listener credentials and records can be read on the wire, and every
#   rule about who may do what is about nobody. So it is on one of SSL that requires no certificate of its clients,
#   which Kafka does not by default: all of them are User:ANONYMOUS.
# related_resources:
#   - https://kafka.apache.org/documentation/#brokerconfigs_listeners
#   - https://kafka.apache.org/documentation/#brokerconfigs_listener.security.protocol.map
#   - https://kafka.apache.org/documentation/#brokerconfigs_ssl.client.auth
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
#       description: Security protocols that a listener may have; SSL with a certificate of each client.
#   messages:
#     protocol: listener {listener} speaks {protocol}, not {allowed}
#     anonymous: listener {listener} takes clients without a certificate, as {config} is {value}
#   fixes:
#     protocol: map the listener's name to one of {allowed} in listener.security.protocol.map
#     anonymous: set {config} to required, and give each client a certificate
deny contains violation.new(rego.metadata.rule(), problem, ["configs", problem.config], []) if {
	input.operation in {"AlterBroker", "StartBroker", "AuditBroker"}
	params := input.params["KFK-BRK-005"]
	some listener in brokers.known_values(input).listeners
	trim_space(listener) != "" # which is not a listener, and KFK-LST-004's
	name := upper(split(listener, "://")[0])
	some protocol in _listener_protocols(name)
	problem := object.union(_protocol_problem(name, protocol, params.allowedProtocols), {"listener": listener})
}

_protocol_problem(name, "SSL", protocols) := {"case": "anonymous", "config": config, "value": value} if {
	"SSL" in protocols
	config := _client_auth_config(name)
	value := object.get(brokers.known_values(input), config, data.catalog.broker.defaults.configs["ssl.client.auth"])
	value != "required"
}

_protocol_problem(_, protocol, protocols) := {
	"case": "protocol",
	"config": "listeners",
	"protocol": protocol,
	"allowed": concat(" or ", protocols),
} if {
	not protocol in protocols
}
