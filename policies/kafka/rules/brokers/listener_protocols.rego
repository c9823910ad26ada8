package kafka.rules.brokers

import data.kafka.model.brokers

# METADATA
# description: |
#   The config that says whether a listener requires certificates of its clients. The listener's own comes first; Kafka
#   looks for it under the name in small letters.
_client_auth_config(name) := own if {
	own := $"listener.name.{lower(name)}.ssl.client.auth"
	brokers.known_values(input)[own]
} else := "ssl.client.auth"

# A name without a protocol of its own is one that Kafka takes for PLAINTEXT (a controller's), or refuses.
_listener_protocols(name) := mapped if {
	mapped := {mapping[1] | some mapping in _listener_protocol_pairs; mapping[0] == name}
	mapped != set()
} else := {"PLAINTEXT"}

# The last colon is the one between name and protocol.
_listener_protocol_pairs contains [upper(trim_space(name)), upper(trim_space(protocol))] if {
	some entry in split(_protocol_map_text, ",")
	[[_, name, protocol]] := regex.find_all_string_submatch_n(`^(.*):([^:]*)$`, entry, 1)
}

# The cluster-wide default may name listeners without their protocols.
_protocol_map_text := object.get(
	brokers.known_values(input),
	"listener.security.protocol.map",
	data.catalog.broker.defaults.configs["listener.security.protocol.map"],
)
