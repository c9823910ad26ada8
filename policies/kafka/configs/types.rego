# METADATA
# title: Configurations
# description: |
#   Config values as the catalogue types them, what a change makes of them, and what is in force after defaults.
# scope: subpackages
package kafka.configs

import data.kafka.lists

# METADATA
# description: |
#   The typed form of a config's string, for a `kind` of resource (topic, broker, group, clientMetrics): numbers as
#   numbers, lists as lists, booleans as booleans. Undefined where Kafka could not parse it (`invalid` says so); a
#   name that the catalogue lacks stays a string. Of the numbers that mean no limit all are the catalogue's one, so that
#   no rule has to know more than that.
typed(kind, name, text) := limit.is if {
	limit := data.catalog[kind].configs[name].noLimit
	value := parsed(kind, name, text)
	true in [value < object.get(limit, "below", value), value == object.get(limit, "at", null)]
	value >= object.get(data.catalog[kind].configs[name], "min", value) # else Kafka does not take it
} else := parsed(kind, name, text)

# METADATA
# description: As `typed`, the number as it was written.
parsed(kind, name, text) := _parsed_value(type_of(kind, name), text)

# METADATA
# description: A text as a value of a type of Kafka's; undefined where it is none.
value_of_type(type, text) := _parsed_value(type, text)

# METADATA
# description: The catalogue's type of a config; unknown names are strings, and a listener's are as any broker's.
type_of(kind, name) := type if {
	type := data.catalog[kind].types[name]
} else := object.get(data.catalog.broker.types, base_name(name), "string") if {
	kind == "broker"
} else := "string"

# METADATA
# description: |
#   The name of a broker's config without the listener that it is set for, as DynamicBrokerConfig reads it
#   (listener.name.<listener>.<name>); undefined of other names.
base_name(name) := concat(".", array.slice(parts, 3, count(parts))) if {
	parts := split(name, ".")
	array.slice(parts, 0, 2) == ["listener", "name"]
	count(parts) > 3
}

# METADATA
# description: |
#   All of `configs` that can be parsed, typed; null values (deletions) are left out. Undefined where a value is neither
#   a string nor null: then these are not configs, and nothing may be concluded from what is missing.
values(kind, configs) := object.union(plain, words) if {
	types := data.catalog[kind].types
	not _has_listener_configs(kind, configs)
	shapes := _fast_parsing_patterns
	plain := {name: to_number(text) | some name, text in configs; regex.match(shapes.numbers[types[name]], text)}
	words := {name: [text, split(text, ","), text == "true"][shapes.reading[type]] |
		some name, text in configs
		type := object.get(types, name, "string")
		regex.match(shapes.words[type], text)
	}
	count(plain) + count(words) == count(configs)
} else := {name: value | some name, text in configs; value := typed(kind, name, text)} if {
	{type_name(text) | some text in configs} - {"string", "null"} == set()
}

# Of a broker, names that only `type_of` understands.
_has_listener_configs("broker", configs) if {
	some name, _ in configs
	startswith(name, "listener.name.")
}

# Nearly all values are numbers that are plainly in range, and words without white space: those need no function each.
# Other numbers below nought may mean no limit.
# `reading` says which of a word's readings is meant.
_fast_parsing_patterns := {
	"numbers": {
		"short": `^(0|-?[1-9][0-9]{0,3})$`,
		"int": `^(0|-1|[1-9][0-9]{0,8})$`,
		"long": `^(0|-1|[1-9][0-9]{0,17})$`,
		"double": `^(0|-?[1-9][0-9]{0,14})(\.[0-9]{1,15})?$`,
	},
	"words": {"string": `^[!-~]+$`, "class": `^[!-~]+$`, "password": ``, "list": `^[!-~]+$`, "boolean": `^(true|false)$`},
	"reading": {"string": 0, "class": 0, "password": 0, "list": 1, "boolean": 2},
}

_parsed_value("string", text) := lists.trimmed(text)

_parsed_value("class", text) := lists.trimmed(text)

_parsed_value("password", text) := text

_parsed_value("short", text) := int16(text)

_parsed_value("int", text) := int32(text)

_parsed_value("long", text) := int64(text)

_parsed_value("double", text) := float64(text)

# equalsIgnoreCase compares capitals, which a letter such as U+017F has in common with another.
_parsed_value("boolean", text) := {"TRUE": true, "FALSE": false}[upper(lists.trimmed(text))]

_parsed_value("list", text) := lists.split_text(text)

# METADATA
# description: The name of a listener's config without the SASL mechanism that may stand before it.
after_mechanism(base) := base if {
	data.catalog.broker.types[base]
} else := concat(".", array.slice(split(base, "."), 1, count(base)))
