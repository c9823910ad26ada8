package kafka.model.brokers

import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   What a running broker refuses of listeners that no longer have all that it advertises (DynamicListenerConfig).
_missing_advertised_listener_problems(before, after) := {message |
	advertised := _advertised_listener_names(before)
	there := [_listener_name(listener) | some listener in _listeners(after)]
	some name in advertised
	not name in there
	message := $"Advertised listeners '{_scala_set(advertised)}' must be a subset of listeners '{_scala_set(there)}'"
}

_advertised_listener_names(texts) := [_listener_name(listener) |
	some listener in lists.distinct(configs.typed("broker", "advertised.listeners", texts["advertised.listeners"]))
] if {
	texts["advertised.listeners"]
} else := [name |
	some listener in _listeners(texts)
	name := _listener_name(listener)
	not name in _controller_listener_names(texts)
]

_scala_set(names) := $"Set({concat(", ", [$"ListenerName({name})" | some name in names])})"

# METADATA
# description: What a running broker refuses to take from a listener that it has (DynamicListenerConfig).
_protocol_change_problems(before, after) := {message |
	earlier := _protocols_by_listener(before)
	later := _protocols_by_listener(after)
	some name in (_listener_names(before) & _listener_names(after))
	earlier[name] != later[name]
	message := $"Security protocol cannot be updated for existing listener ListenerName({name})"
}

# METADATA
# description: |
#   What a running broker refuses of a listener that it has while it looks at listeners: to change what it reads at the
#   start only. It looks where one of some configs changes (`ofListeners`).
_fixed_listener_config_problems(before, after) := {message |
	object.filter(before, data.catalog.broker.ofListeners) != object.filter(after, data.catalog.broker.ofListeners)
	some listener in (_listener_names(before) & _listener_names(after))
	_fixed_listener_configs(before, listener) != _fixed_listener_configs(after, listener)
	message := concat("", [
		$"Configs cannot be updated dynamically for existing listener ListenerName({listener}), ",
		"restart broker or create a new listener for update",
	])
}

_fixed_listener_configs(texts, listener) := {name: text |
	prefix := $"listener.name.{lower(listener)}."
	some name, text in texts
	startswith(name, prefix)
	base := configs.base_name(name)
	not data.catalog.broker.configs[base].onlyPerListener
	not data.catalog.broker.configs[base].forAllListeners
}
