package kafka.model.brokers

import data.kafka.base.errors
import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   What Kafka refuses of a broker's file: of single values, which it reads first (ConfigDef), and then of the file as a
#   whole (KafkaConfig). What brokers have at runtime only is nothing to it. A file of which something is not known yet
#   is not looked at as a whole, and what is not known is not left out.
_broker_file_errors(file, unknown) := refused if {
	texts := _completed_file_configs(file)
	messages := union({
		_missing_config_problems(texts, unknown),
		_invalid_choice_problems(texts),
		_quorum_parse_problems_if_known(texts, unknown),
	})
	reading_errors := {errors.new("INVALID_CONFIG", message) | some message in messages}
	refused := configs.invalid("broker", texts) | reading_errors
	refused != set()
} else := set() if {
	unknown != set()
} else := {errors.new("INVALID_CONFIG", message) |
	texts := _completed_file_configs(file)
	some message in (_config_combination_problems(texts) | _startup_problems(texts))
}

# A node has its number by either name, and the default of what is looked at as a whole.
_completed_file_configs(file) := object.union_n([
	{name: defaults[name] | some name in ["listeners", "log.dir"]},
	{name: file[other] |
		some name, other in {"node.id": "broker.id", "broker.id": "node.id"}
	},
	object.remove(file, runtime),
]) if {
	defaults := data.catalog.broker.defaults.configs
	runtime := {name | some name, _ in file; data.catalog.broker.configs[name].onlyDynamic}
}

# Names of configs that a document says are not known yet, by JSON pointers.
_unknown_config_names(document) := {replace(replace(name, "~1", "/"), "~0", "~") |
	some pointer in document.unknown
	startswith(pointer, _configs_pointer_prefix)
	name := trim_prefix(pointer, _configs_pointer_prefix)
}

_configs_pointer_prefix := "/request/configs/"

# Where the quorum is looked for depends on several configs.
_quorum_parse_problems_if_known(texts, unknown) := _quorum_parse_problems(texts) if unknown == set()

_quorum_parse_problems_if_known(_, unknown) := set() if unknown != set()

_missing_config_problems(texts, unknown) := {$"Missing required configuration \"{name}\" which has no default value." |
	some name in data.catalog.startup.required
	object.get(data.catalog.broker.defaults.configs, name, null) == null # before 4.0 all had one
	not texts[name]
	not name in unknown
}

_choice_text_start := "String must be one of (case insensitive)"

# ConfigDef.CaseInsensitiveValidString
_invalid_choice_problems(texts) := {$"Invalid value {value} for configuration {name}: {_choice_text_start}: {words}" |
	some name, text in texts
	[[_, words]] := regex.find_all_string_submatch_n(
		`^\(case insensitive\) \[(.*)\]$`,
		data.catalog.broker.configs[name].valid, 1,
	)
	value := configs.typed("broker", name, text)
	not upper(value) in split(words, ", ")
}

_startup_problems(texts) := union({
	_ordered_pair_problems(texts, data.catalog.startup.ordered),
	_node_and_quorum_problems(texts),
	_controller_listener_problems(texts),
	_inter_broker_listener_problems(texts),
	_early_start_listener_problems(texts),
	_other_startup_problems(texts),
})

_early_start_listener_problems(texts) := {message |
	some name in configs.typed("broker", "early.start.listeners", texts["early.start.listeners"])
	name != ""
	not name in _listener_names(texts)
	message := concat(" ", [
		$"early.start.listeners contains listener {name}, but this is not contained in listeners or",
		"controller.listener.names",
	])
}

_other_startup_problems(texts) := union({
	{$"Unknown compression type id: {id}" |
		some name in data.catalog.startup.codecs
		id := _typed_config_value(texts, name)
		not id in {0, 1, 2, 3, 4}
	},
	{"Disabling the 'classic' protocol is not supported." |
		key := "group.coordinator.rebalance.protocols"
		protocols := configs.typed("broker", key, texts[key])
		not "classic" in protocols
	},
	{$"group.share.assignors must contain exactly one assignor, but found {many}" |
		key := "group.share.assignors"
		data.catalog.broker.configs[key]
		listed := configs.typed("broker", key, texts[key])
		many := count({name | some name in listed})
		many != 1
	},
	# Tags are compared before they are read as a list, so that empty ones count too.
	{$"{key} must not contain duplicate tag keys." |
		key := "group.streams.rack.aware.assignment.tags"
		data.catalog.broker.configs[key]
		lists.has_duplicates(lists.split_text(texts[key]))
	},
	{$"max.connections.per.ip.overrides contains invalid addresses : {concat(",", wrong)}" |
		wrong := [address |
			some [address, _] in _map_pairs(texts, "max.connections.per.ip.overrides")
			not regex.match(`^[0-9a-zA-Z\-%._:]*$`, address)
		]
		wrong != []
	},
	{concat("", [
		$"requirement failed: connection.failed.authentication.delay.ms={delay} should always be less than",
		$" connections.max.idle.ms={idle} to prevent failed authentication responses from timing out",
	]) |
		delay := _number_in_force(texts, "connection.failed.authentication.delay.ms")
		idle := _number_in_force(texts, "connections.max.idle.ms")
		idle >= 0
		delay >= idle
	},
	{"requirement failed: queued.max.request.bytes must be larger or equal to socket.request.max.bytes" |
		most := _number_in_force(texts, "queued.max.request.bytes")
		most > 0
		most < _number_in_force(texts, "socket.request.max.bytes")
	},
})
