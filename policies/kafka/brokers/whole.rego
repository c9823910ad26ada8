package kafka.brokers

import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   What AbstractKafkaConfig refuses of a broker's configs as a whole, the texts that are set: a file's, or what is in
#   force once a change is done.
_unfit(texts) := union({
	_below_least(texts),
	_unfit_cleaner(texts),
	_above_most(texts),
	_no_connections(texts),
	_not_cordoned(texts),
	_unmapped(texts),
	_bad_listeners(texts),
})

_below_least(texts) := {$"requirement failed: {problem}" |
	some name, problem in {
		"log.roll.ms": "log.roll.ms must be greater than or equal to 1",
		"log.roll.jitter.ms": "log.roll.jitter.ms must be greater than or equal to 0",
		"log.retention.ms": "log.retention.ms must be unlimited (-1) or, greater than or equal to 1",
	}
	_number(texts, name) < {"log.roll.ms": 1, "log.roll.jitter.ms": 0, "log.retention.ms": 1}[name]
	[name, _number(texts, name)] != ["log.retention.ms", -1]
}

_unfit_cleaner(texts) := {"/ by zero"} if {
	_number(texts, "log.cleaner.threads") == 0
} else := {concat(" ", [
	"requirement failed: log.cleaner.dedupe.buffer.size must be at least 1MB per",
	"cleaner thread.",
])} if {
	floor(_number(texts, "log.cleaner.dedupe.buffer.size") / _number(texts, "log.cleaner.threads")) <= 1048576
} else := set()

_above_most(texts) := {$"{name} must be less than or equal to {most}" |
	some kind in ["consumer", "share", "streams"]
	name := $"group.{kind}.assignment.interval.ms"
	most := $"group.{kind}.max.assignment.interval.ms"
	_number(texts, name) > _number(texts, most)
} | {$"{name} must be greater than or equal to {least}" |
	some kind in ["consumer", "share", "streams"]
	name := $"group.{kind}.assignment.interval.ms"
	least := $"group.{kind}.min.assignment.interval.ms"
	_number(texts, name) < _number(texts, least)
}

_no_connections(texts) := {concat(" ", [
	"requirement failed: max.connections.per.ip can be set to zero only if max.connections.per.ip.overrides",
	"property is set.",
]) |
	_number(texts, "max.connections.per.ip") == 0
	object.get(texts, "max.connections.per.ip.overrides", "") == ""
}

# Where nobody tells which directories the broker has, any may be one of them.
_not_cordoned(texts) := {message |
	some directories in [name | some name in ["log.dirs", "log.dir"]; texts[name]]
	known := configs.typed("broker", directories, texts[directories])
	missing := [path |
		some path in lists.distinct(configs.typed("broker", "cordoned.log.dirs", texts["cordoned.log.dirs"]))
		not path in known
		path != "*"
	]
	missing != []
	message := concat("", [
		"requirement failed: All entries in cordoned.log.dirs must be present in log.dirs or log.dir. ",
		$"Missing entries : {concat(", ", missing)}",
	])
}

# Two lists of pairs, which Kafka splits before it reads them (Csv.parseCsvMap); its words are Java's own.
_unmapped(texts) := ({$"Error parsing configuration property '{name}': begin 0, end -1, length {count(pair)}" |
	some name in ["listener.security.protocol.map", "max.connections.per.ip.overrides"]
	some pair in configs.typed("broker", "listeners", texts[name])
	not contains(pair, ":")
	pair != ""
} | {$"Invalid security protocol `{protocol}` defined in listener.security.protocol.map" |
	some pair in configs.typed("broker", "listeners", texts["listener.security.protocol.map"])
	[_, protocol] := split(pair, ":")
	not upper(protocol) in {"PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"}
}) | {$"For input string: \"{most}\"" |
	some pair in configs.typed("broker", "listeners", texts["max.connections.per.ip.overrides"])
	[_, most] := split(pair, ":")
	not configs.int32(most)
}
