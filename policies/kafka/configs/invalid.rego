package kafka.configs

import data.kafka.errors

# METADATA
# description: |
#   What Kafka would refuse in these overrides of a resource of `kind`, in the words of its ConfigDef; unknown names are
#   left to KFK-MSG-006, since vendors have keys of their own.
invalid(kind, configs) := _invalid_values(kind, configs) | _invalid_lists(kind, configs)

_invalid_values(kind, configs) := {errors.new("INVALID_CONFIG", message) |
	some name, text in configs
	text != null
	row := data.catalog[kind].configs[name]
	problem := _problem(row, _typed_or_null(kind, name, text))
	message := $"Invalid value {text} for configuration {name}: {problem}"
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

# Lists of a fixed choice, as ConfigDef.parse reads them: what stands twice counts once.
_invalid_lists(kind, configs) := {errors.new("INVALID_CONFIG", message) |
	some name, text in configs
	row := data.catalog[kind].configs[name]
	row.type == "list"
	count(row.validStrings) > 0
	some part in typed(kind, name, text)
	message := _bad_part(part, name, row)
}

_bad_part("", name, _) := $"Configuration '{name}' values must not be empty."

_bad_part(part, name, row) := message if {
	part != ""
	not part in row.validStrings
	choice := concat(", ", row.validStrings)
	message := $"Invalid value {part} for configuration {name}: String must be one of: {choice}"
}
