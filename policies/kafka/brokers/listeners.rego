package kafka.brokers

import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   What AbstractKafkaConfig and SocketServerConfigs refuse of the listeners of a broker whose file is known.
_bad_listeners(texts) := {message |
	listeners := _listeners(texts)
	some problem in union({
		_unreadable(listeners),
		_without_protocol(texts),
		_doubled_listeners(listeners),
		_doubled_ports(listeners),
	})
	message := $"Error creating broker listeners from '[{concat(", ", listeners)}]': {problem}"
} | _without_role(texts)

_unreadable(listeners) := {$"Unable to parse {listener} to a broker endpoint" |
	some listener in listeners
	not regex.match(_endpoint, listener)
}

_endpoint := `^[^:]*://\[?[0-9a-zA-Z\-%._:]*\]?:-?[0-9]+$`

_without_protocol(texts) := {message |
	protocols := _protocols(texts)
	some name in _listener_names(texts)
	not protocols[name]
	message := object.get(
		{"": "The provided listener name is null or empty string"},
		name, $"No security protocol defined for listener {name}",
	)
}

_doubled_listeners(listeners) := {message |
	names := [_name_of(listener) | some listener in listeners; regex.match(_endpoint, listener)]
	count(names) != count({name | some name in names})
	message := $"Each listener must have a different name, listeners: [{concat(", ", listeners)}]"
}

# METADATA
# description: |
#   What a running broker refuses of listeners that no longer have all that it advertises (DynamicListenerConfig).
_advertised_without(before, after) := {message |
	advertised := _advertised(before)
	there := [_name_of(listener) | some listener in _listeners(after)]
	some name in advertised
	not name in there
	message := $"Advertised listeners '{_as_set(advertised)}' must be a subset of listeners '{_as_set(there)}'"
}

_advertised(texts) := [_name_of(listener) |
	some listener in lists.distinct(configs.typed("broker", "advertised.listeners", texts["advertised.listeners"]))
] if {
	texts["advertised.listeners"]
} else := [name |
	some listener in _listeners(texts)
	name := _name_of(listener)
	not name in _controllers(texts)
]

_as_set(names) := $"Set({concat(", ", [$"ListenerName({name})" | some name in names])})"

# METADATA
# description: What a running broker refuses to take from a listener that it has (DynamicListenerConfig).
_other_protocol(before, after) := {$"Security protocol cannot be updated for existing listener ListenerName({name})" |
	earlier := _protocols(before)
	later := _protocols(after)
	some name in (_listener_names(before) & _listener_names(after))
	earlier[name] != later[name]
}

# METADATA
# description: |
#   What a running broker refuses of a listener that it has while it looks at listeners: to change what it reads at the
#   start only. It looks where one of some configs changes (`ofListeners`).
_fixed_of_listeners(before, after) := {message |
	object.filter(before, data.catalog.broker.ofListeners) != object.filter(after, data.catalog.broker.ofListeners)
	some listener in (_listener_names(before) & _listener_names(after))
	_fixed(before, listener) != _fixed(after, listener)
	message := concat("", [
		$"Configs cannot be updated dynamically for existing listener ListenerName({listener}), ",
		"restart broker or create a new listener for update",
	])
}

_fixed(texts, listener) := {name: text |
	prefix := $"listener.name.{lower(listener)}."
	some name, text in texts
	startswith(name, prefix)
	base := configs.base_name(name)
	not data.catalog.broker.configs[base].onlyPerListener
	not data.catalog.broker.configs[base].forAllListeners
}

_without_role(texts) := {concat(" ", [
	"requirement failed: controller.listener.names must contain at least one value appearing in the 'listeners'",
	"configuration when running the KRaft controller role",
])} if {
	"controller" in configs.typed("broker", "process.roles", texts["process.roles"])
	_listener_names(texts) != set()
	_listener_names(texts) & _controllers(texts) == set()
} else := {concat(" ", [
	"requirement failed: There must be at least one broker advertised listener.",
	"Perhaps all listeners appear in controller.listener.names?",
])} if {
	"broker" in configs.typed("broker", "process.roles", texts["process.roles"])
	_listener_names(texts) != set()
	_listener_names(texts) - _controllers(texts) == set()
} else := set()

_listeners(texts) := lists.distinct(configs.typed("broker", "listeners", texts.listeners))

_listener_names(texts) := {_name_of(listener) | some listener in _listeners(texts)}

_name_of(listener) := upper(split(listener, "://")[0])

_controllers(texts) := {upper(name) |
	some name in configs.typed("broker", "controller.listener.names", texts["controller.listener.names"])
}

# The protocol of each name; where no map is set those of Kafka's default, and a controller's name without one is plain.
_protocols(texts) := object.union({name: "PLAINTEXT" | some name in implied}, {upper(name): upper(protocol) |
	some pair in configs.typed("broker", "listeners", text)
	[name, protocol] := split(pair, ":")
}) if {
	key := "listener.security.protocol.map"
	text := object.get(texts, key, data.catalog.broker.defaults.configs[key])
	implied := {name | some name in _controllers(texts); not texts[key]}
}
