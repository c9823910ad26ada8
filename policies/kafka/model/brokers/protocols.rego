package kafka.model.brokers

import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   What AbstractKafkaConfig refuses of two lists of pairs, before it looks at what they are about; its words are Java's
#   own.
_map_config_problems(texts) := union({
	{$"Error parsing configuration property '{name}': begin 0, end -1, length {count(piece)}" |
		some name in ["listener.security.protocol.map", "max.connections.per.ip.overrides"]
		some piece in _map_entries(object.get(texts, name, ""))
		not contains(piece, ":")
	},
	{$"Invalid security protocol `{protocol}` defined in listener.security.protocol.map" |
		some [_, protocol] in _map_pairs(texts, "listener.security.protocol.map")
		not upper(protocol) in data.catalog.broker.configs["security.inter.broker.protocol"].validStrings
	},
	{"The provided listener name is null or empty string" |
		some ["", _] in _map_pairs(texts, "listener.security.protocol.map")
	},
	_duplicate_map_key_problems(_map_pairs(texts, "listener.security.protocol.map")),
	{$"For input string: \"{most}\"" |
		some [_, most] in _map_pairs(texts, "max.connections.per.ip.overrides")
		not configs.int32(most)
	},
})

_duplicate_map_key_problems(pairs) := {message |
	some [one, first] in pairs
	some [other, second] in pairs
	one < other
	name := upper(one)
	name == upper(other)
	message := $"Duplicate key ListenerName({name}) (attempted merging values {first} and {second})"
}

# As Csv.parseCsvMap splits: what is empty at the end counts for nothing, and the last colon of a pair is the one
# between.
_map_entries(text) := array.slice(parts, 0, last + 1) if {
	parts := lists.split_text(text)
	last := max([i | some i, piece in parts; piece != ""])
} else := []

_map_pairs(texts, name) := [[lists.trimmed(before), lists.trimmed(after)] |
	some piece in _map_entries(object.get(texts, name, ""))
	[[_, before, after]] := regex.find_all_string_submatch_n(`^(.*):([^:]*)$`, piece, 1)
]

# The protocol of each name, of one that stands twice the last; where no map is set those of Kafka's default, and with
# no other protocol in use a controller's name without one is plain.
_protocols_by_listener(texts) := object.union(_implied_controller_protocols(texts), {name: protocol |
	key := "listener.security.protocol.map"
	pairs := _map_pairs({key: object.get(texts, key, data.catalog.broker.defaults.configs[key])}, key)
	some name in {upper(listener) | some [listener, _] in pairs}
	of_it := [upper(protocol) | some [listener, protocol] in pairs; upper(listener) == name]
	protocol := of_it[count(of_it) - 1]
})

_implied_controller_protocols(texts) := {name: "PLAINTEXT" |
	not texts["listener.security.protocol.map"]
	in_use := _controller_listener_names(texts) | _listener_names(texts)
	in_use & {"SSL", "SASL_PLAINTEXT", "SASL_SSL"} == set()
	some name in _controller_listener_names(texts)
}
