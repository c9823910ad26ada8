package kafka.model.brokers

import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   What AbstractKafkaConfig and SocketServerConfigs refuse of the listeners of a broker whose file is known, and of the
#   ones that it advertises, which may share a port.
_listener_problems(texts) := {message |
	some key, same_port in {"listeners": false, "advertised.listeners": true}
	listeners := lists.distinct(configs.typed("broker", key, texts[key]))
	some problem in union({
		_endpoint_parse_problems(listeners),
		_missing_protocol_problems(texts, listeners),
		_duplicate_listener_problems(listeners),
		{doubled | some doubled in _duplicate_port_problems(listeners); not same_port},
	})
	message := $"Error creating broker listeners from '[{concat(", ", listeners)}]': {problem}"
} | _listener_name_problems(texts)

# To know what a controller's listener without a protocol has, Kafka looks at the names of all.
_listener_name_problems(texts) := {$"Unable to parse a listener name from {listener}" |
	not texts["listener.security.protocol.map"]
	_controller_listener_names(texts) & {"SSL", "SASL_PLAINTEXT", "SASL_SSL"} == set()
	some listener in _listeners(texts)
	not contains(listener, ":")
}

_endpoint_parse_problems(listeners) := {$"Unable to parse {listener} to a broker endpoint" |
	some listener in listeners
	not regex.match(_endpoint_pattern, listener)
} | {$"For input string: \"{endpoint.port}\"" |
	some endpoint in _endpoints(listeners)
	not configs.int32(endpoint.port)
}

_endpoint_pattern := `^(.*)://\[?([0-9a-zA-Z\-%._:]*)\]?:(-?[0-9]+)$`

# What can be read of them: the name in capitals, the host, and the port.
_endpoints(listeners) := [{"name": upper(name), "host": host, "port": port} |
	some listener in listeners
	[[_, name, host, port]] := regex.find_all_string_submatch_n(_endpoint_pattern, listener, 1)
]

_missing_protocol_problems(texts, listeners) := {message |
	protocols := _protocols_by_listener(texts)
	some endpoint in _endpoints(listeners)
	not protocols[endpoint.name]
	message := object.get(
		{"": "The provided listener name is null or empty string"},
		endpoint.name, $"No security protocol defined for listener {endpoint.name}",
	)
}

_duplicate_listener_problems(listeners) := {message |
	names := [endpoint.name | some endpoint in _endpoints(listeners)]
	lists.has_duplicates(names)
	message := $"Each listener must have a different name, listeners: [{concat(", ", listeners)}]"
}

_listeners(texts) := lists.distinct(configs.typed("broker", "listeners", texts.listeners))

_listener_names(texts) := {_listener_name(listener) | some listener in _listeners(texts)}

_listener_name(listener) := upper(regex.replace(listener, `://.*$`, ""))

# As they are written, whereas listeners have theirs in capitals: another name is no controller's.
_controller_listener_names(texts) := {name |
	some name in configs.typed("broker", "controller.listener.names", texts["controller.listener.names"])
}
