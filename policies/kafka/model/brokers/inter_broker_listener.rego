package kafka.model.brokers

import data.kafka.configs

# METADATA
# description: |
#   What AbstractKafkaConfig and KafkaConfig.validateValues refuse of a file's listener between brokers, and of those
#   that the broker advertises.
_inter_broker_listener_problems(texts) := union({
	{"Only one of inter.broker.listener.name and security.inter.broker.protocol should be set." |
		texts["inter.broker.listener.name"]
		texts["security.inter.broker.protocol"]
	},
	{message |
		name := upper(configs.typed("broker", "inter.broker.listener.name", texts["inter.broker.listener.name"]))
		not _protocols_by_listener(texts)[name]
		message := object.get(
			{"": "The provided listener name is null or empty string"},
			name, concat("", [
				$"Listener with name {name} defined in inter.broker.listener.name not found in ",
				"listener.security.protocol.map.",
			]),
		)
	},
	_advertised_listener_problems(texts, _inter_broker_listener(texts), _advertised_broker_listener_names(texts)),
	_inter_broker_sasl_problems(texts, _inter_broker_listener(texts)),
})

# The listener between brokers, and its protocol.
_inter_broker_listener(texts) := {"name": name, "protocol": object.get(_protocols_by_listener(texts), name, "")} if {
	name := upper(configs.typed("broker", "inter.broker.listener.name", texts["inter.broker.listener.name"]))
} else := {"name": protocol, "protocol": protocol} if {
	protocol := configs.typed("broker", "security.inter.broker.protocol", texts["security.inter.broker.protocol"])
} else := {"name": "PLAINTEXT", "protocol": "PLAINTEXT"}

# In the order of the file, without those of controllers.
_advertised_broker_listener_names(texts) := [endpoint.name |
	some endpoint in _advertised_endpoints(texts)
	not endpoint.name in _controller_listener_names(texts)
]

_advertised_listener_problems(texts, inter_broker, names) := (({_no_advertised_listener_message |
	"broker" in _process_roles(texts)
	names == []
} | {message |
	"broker" in _process_roles(texts)
	not inter_broker.name in names
	message := concat(" ", [
		"requirement failed: inter.broker.listener.name must be a listener name defined in advertised.listeners.",
		$"The valid options based on currently configured listeners are {concat(",", names)}",
	])
}) | {message |
	"broker" in _process_roles(texts)
	there := [endpoint.name | some endpoint in _endpoints(_listeners(texts))]
	some name in names
	not name in there
	message := concat(" ", [
		"requirement failed: advertised.listeners listener names must be equal to or a subset of the ones defined in",
		$"listeners. Found {concat(",", names)}. The valid options based on the current configuration are",
		concat(",", there),
	])
}) | {concat(" ", [
	"requirement failed: advertised.listeners cannot use the nonroutable meta-address 0.0.0.0.",
	"Use a routable IP address.",
]) |
	some endpoint in _advertised_endpoints(texts)
	endpoint.host == "0.0.0.0"
	[endpoint.name in _controller_listener_names(texts), object.get(texts, "advertised.listeners", "")] != [true, ""]
}

_inter_broker_sasl_problems(texts, inter_broker) := {concat(" ", [
	"requirement failed: sasl.mechanism.inter.broker.protocol must be included in sasl.enabled.mechanisms",
	"when SASL is used for inter-broker communication",
]) |
	startswith(inter_broker.protocol, "SASL_")
	prefix := $"listener.name.{lower(inter_broker.name)}."
	mechanism := "sasl.mechanism.inter.broker.protocol"
	not _value_in_force(texts, mechanism) in _listener_value(_with_default_sasl(texts), prefix, "sasl.enabled.mechanisms")
} | {refusal |
	startswith(inter_broker.protocol, "SASL_")
	some refusal in _prefixed_config_problems(texts, {$"listener.name.{lower(inter_broker.name)}."})
}

_value_in_force(texts, name) := configs.typed("broker", name, text) if {
	text := object.get(texts, name, data.catalog.broker.defaults.configs[name])
}

_with_default_sasl(texts) := object.union({"sasl.enabled.mechanisms": "GSSAPI"}, texts)
