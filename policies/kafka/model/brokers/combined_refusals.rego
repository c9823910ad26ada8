package kafka.model.brokers

import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   What AbstractKafkaConfig refuses of a broker's configs as a whole, the texts that are set: a file's, or what is in
#   force once a change is done.
_config_combination_problems(texts) := union({
	_log_time_minimum_problems(texts),
	_cleaner_buffer_problems(texts),
	_ordered_pair_problems(texts, data.catalog.startup.alterable),
	_connections_per_ip_problems(texts),
	_cordoned_log_dir_problems(texts),
	_map_config_problems(texts),
	_listener_problems(texts),
	_role_listener_problems(texts),
})

_log_time_minimum_problems(texts) := {$"requirement failed: {problem}" |
	some name, problem in {
		"log.roll.ms": "log.roll.ms must be greater than or equal to 1",
		"log.roll.jitter.ms": "log.roll.jitter.ms must be greater than or equal to 0",
	}
	_number_in_force(texts, name) < {"log.roll.ms": 1, "log.roll.jitter.ms": 0}[name]
} | {"requirement failed: log.retention.ms must be unlimited (-1) or, greater than or equal to 1" |
	_retention_ms(texts) == 0
}

_cleaner_buffer_problems(texts) := {"/ by zero"} if {
	_number_in_force(texts, "log.cleaner.threads") == 0
} else := {concat(" ", [
	"requirement failed: log.cleaner.dedupe.buffer.size must be at least 1MB per",
	"cleaner thread.",
])} if {
	threads := _number_in_force(texts, "log.cleaner.threads")
	floor(_number_in_force(texts, "log.cleaner.dedupe.buffer.size") / threads) <= 1048576
} else := set()

_connections_per_ip_problems(texts) := {concat(" ", [
	"requirement failed: max.connections.per.ip can be set to zero only if max.connections.per.ip.overrides",
	"property is set.",
]) |
	_number_in_force(texts, "max.connections.per.ip") == 0
	_map_entries(object.get(texts, "max.connections.per.ip.overrides", "")) == []
}

# Where nobody tells which directories the broker has, any may be one of them.
_cordoned_log_dir_problems(texts) := {concat(" ", [
	"requirement failed: When cordoned.log.dirs is set to *,",
	"it must not contain other values",
])} if {
	cordoned := _cordoned_dirs(texts)
	"*" in cordoned
	count(cordoned) > 1
} else := {message |
	directories := [name | some name in ["log.dirs", "log.dir"]; texts[name]][0]
	known := configs.typed("broker", directories, texts[directories])
	missing := [path | some path in _cordoned_dirs(texts); not path in known; path != "*"]
	missing != []
	message := concat("", [
		"requirement failed: All entries in cordoned.log.dirs must be present in log.dirs or log.dir. ",
		$"Missing entries : {concat(", ", missing)}",
	])
}

# A node that is a controller alone has no logs to cordon.
_cordoned_dirs(texts) := lists.distinct(configs.typed("broker", "cordoned.log.dirs", texts["cordoned.log.dirs"])) if {
	configs.typed("broker", "process.roles", object.get(texts, "process.roles", "")) != ["controller"]
}
