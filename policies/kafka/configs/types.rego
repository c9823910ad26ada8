# METADATA
# title: Topic configurations
# description: Config values as the catalogue types them, what a change makes of them, and what is in force after defaults.
# scope: subpackages
package kafka.configs

# METADATA
# description: |
#   The typed form of a topic config's string: numbers as numbers, lists as lists, booleans as booleans.
#   Undefined where Kafka could not parse it (kafka/configs/invalid says so); an unknown name stays a string.
typed(name, text) := _parsed(type_of(name), trim_space(text))

# METADATA
# description: The catalogue's type of a topic config; unknown names are strings.
type_of(name) := type if {
	type := data.catalog.topic.configs[name].type
} else := "string"

# METADATA
# description: All of `configs` that can be parsed, typed. Null values (deletions) are left out.
values(configs) := {name: value |
	some name, text in configs
	value := typed(name, text)
}

_parsed("string", text) := text

_parsed("int", text) := int32(text)

_parsed("long", text) := int64(text)

_parsed("double", text) := float64(text)

_parsed("boolean", text) := lower(text) == "true" if lower(text) in {"true", "false"}

_parsed("list", "") := []

_parsed("list", text) := [trim_space(part) | some part in split(text, ",")] if text != ""
