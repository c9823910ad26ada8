package kafka.configs

import data.kafka.errors

# METADATA
# description: |
#   What Kafka would refuse in these overrides of a topic, in the words of its ConfigDef; unknown names are left to
#   KFK-MSG-006, since vendors have keys of their own.
invalid(configs) := {errors.new("INVALID_CONFIG", $"Invalid value {text} for configuration {name}: {problem}") |
	some name, text in configs
	text != null
	row := data.catalog.topic.configs[name]
	problem := _problem(row, name, text)
}

_problem(row, name, text) := $"Not a number of type {upper(row.type)}" if {
	row.type in {"int", "long", "double"}
	not typed(name, text)
} else := "Expected value to be either true or false" if {
	row.type == "boolean"
	not _is_boolean(name, text)
} else := $"Value must be at least {row.min}" if {
	typed(name, text) < row.min
} else := $"Value must be no more than {row.max}" if {
	typed(name, text) > row.max
} else := $"String must be one of: {concat(", ", row.validStrings)}" if {
	row.type == "string"
	not typed(name, text) in row.validStrings
}

_is_boolean(name, text) if is_boolean(typed(name, text))
