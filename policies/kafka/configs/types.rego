# METADATA
# title: Configurations
# description: |
#   Config values as the catalogue types them, what a change makes of them, and what is in force after defaults.
# scope: subpackages
package kafka.configs

# METADATA
# description: |
#   The typed form of a config's string, for a `kind` of resource (topic, broker, group, clientMetrics): numbers as
#   numbers, lists as lists, booleans as booleans. Undefined where Kafka could not parse it (`invalid` says so); a
#   name that the catalogue lacks stays a string.
typed(kind, name, text) := _parsed(type_of(kind, name), text)

# METADATA
# description: The catalogue's type of a config; unknown names are strings.
type_of(kind, name) := object.get(data.catalog[kind].types, name, "string")

# METADATA
# description: |
#   All of `configs` that can be parsed, typed; null values (deletions) are left out. Undefined where a value is neither
#   a string nor null: then these are not configs, and nothing may be concluded from what is missing.
values(kind, configs) := object.union(plain, words) if {
	types := data.catalog[kind].types
	shapes := _plain
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

# Nearly all values are numbers that are plainly in range, and words without white space: those need no function each.
# `reading` says which of a word's readings is meant.
_plain := {
	"numbers": {
		"short": `^(0|-?[1-9][0-9]{0,3})$`,
		"int": `^(0|-?[1-9][0-9]{0,8})$`,
		"long": `^(0|-?[1-9][0-9]{0,17})$`,
		"double": `^(0|-?[1-9][0-9]*)(\.[0-9]+)?$`,
	},
	"words": {"string": `^[!-~]+$`, "class": `^[!-~]+$`, "password": ``, "list": `^[!-~]+$`, "boolean": `^(true|false)$`},
	"reading": {"string": 0, "class": 0, "password": 0, "list": 1, "boolean": 2},
}

_parsed("string", text) := trim_space(text)

_parsed("class", text) := trim_space(text)

_parsed("password", text) := text

_parsed("short", text) := int16(text)

_parsed("int", text) := int32(text)

_parsed("long", text) := int64(text)

_parsed("double", text) := float64(text)

_parsed("boolean", text) := {"true": true, "false": false}[lower(trim_space(text))]

_parsed("list", text) := [trim_space(part) | some part in split(trim_space(text), ",")] if trim_space(text) != ""

_parsed("list", text) := [] if trim_space(text) == ""
