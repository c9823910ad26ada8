package kafka.configs

import data.kafka.errors

# METADATA
# description: |
#   What Kafka would refuse in these overrides of a resource of `kind`, in the words of its ConfigDef; unknown names are left to
#   KFK-MSG-006, since vendors have keys of their own.
invalid(kind, configs) := {errors.new("INVALID_CONFIG", $"Invalid value {text} for configuration {name}: {problem}") |
	some name, text in configs
	text != null
	row := data.catalog[kind].configs[name]
	problem := _problem(row, _typed_or_null(kind, name, text))
}

_typed_or_null(kind, name, text) := value if {
	value := typed(kind, name, text)
} else := null

_problem(row, null) := $"Not a number of type {upper(row.type)}" if {
	row.type in {"short", "int", "long", "double"}
}

_problem(row, null) := "Expected value to be either true or false" if row.type == "boolean"

_problem(row, value) := $"Value must be at least {row.min}" if {
	is_number(value)
	value < row.min
} else := $"Value must be no more than {row.max}" if {
	is_number(value)
	value > row.max
} else := $"String must be one of: {concat(", ", row.validStrings)}" if {
	is_string(value)
	not value in row.validStrings
}
