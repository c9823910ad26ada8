package kafka.configs

import data.kafka.errors
import data.kafka.lists
import data.kafka.lists.scope

# METADATA
# description: |
#   What Kafka would refuse in these overrides of a resource of `kind`, in the words of its ConfigDef; unknown names are
#   left to KFK-MSG-006, since vendors have keys of their own.
invalid(kind, configs) := union({
	_invalid_values(kind, configs),
	_invalid_lists(kind, configs),
	_conflicts(configs),
})

_invalid_values(kind, configs) := {errors.new("INVALID_CONFIG", message) |
	rows := data.catalog[kind].configs
	parsed := _readable(kind, configs)
	some name, text in configs
	text != null
	row := rows[name]
	value := object.get(parsed, name, null)

	# Nearly all values are plainly valid: only of the others a function is asked what is wrong.
	above := max([object.get(row, "min", value), value])
	below := min([object.get(row, "max", value), value])
	allowed := object.get(row, "validStrings", [value])
	[type_name(value) in {"null", "array"}, above, below, value in allowed] != [false, value, value, true]
	problem := _problem(row, value)
	message := $"Invalid value {_shown(text, value)} for configuration {name}: {replace(problem, "{name}", name)}"
}

# As `values`, also where one of the overrides is neither a string nor null.
_readable(kind, configs) := found if {
	found := values(kind, configs)
} else := {name: value | some name, text in configs; value := typed(kind, name, text)}

_problem(row, null) := $"Not a number of type {upper(row.type)}" if {
	row.type in {"short", "int", "long", "double"}
}

_problem(row, null) := "Expected value to be either true or false" if row.type == "boolean"

_problem(row, value) := $"Value must be at least {row.min}" if {
	is_number(value)
	value < row.min
	not row.or
} else := $"Value must be no more than {row.max}" if {
	is_number(value)
	value > row.max
	not row.or
} else := $"Value must be between {row.min} and {row.max} or equal to {row.or}" if {
	is_number(value)
	value != row.or
	max([row.min, min([value, row.max])]) != value
} else := $"String must be one of: {concat(", ", row.validStrings)}" if {
	is_string(value)
	not value in row.validStrings
}

# ThrottledReplicaListValidator
_problem(row, value) := concat("", [
	"{name} must be the literal '*' or a list of replicas in the following format: ",
	row.valid,
]) if {
	is_array(value)
	startswith(row.valid, "[partitionId]:[brokerId]")
	value != ["*"]
	some part in value
	not regex.match(`^([0-9]+:[0-9]+)?$`, part)
}

_shown(text, value) := text if not is_array(value)

_shown(_, value) := $"[{concat(", ", value)}]" if is_array(value)

# Lists, as their catalogue judges them. What stands twice is dropped before Kafka looks at the rest, so that it refuses
# none of it. Of groups and client metrics no list is judged.
_invalid_lists(kind, configs) := {errors.new("INVALID_CONFIG", fault.message) |
	kind in {"topic", "broker"}
	some found in scope.rows(kind, configs)
	found.value != null
	not found.value in found.row.validStrings
	some fault in lists.faults(found.row, found.name, found.value)
	fault.kind != "duplicate"
}

# LogConfig.validateValues: the one pair of topic configs that Kafka compares.
_conflicts(configs) := {errors.new("INVALID_CONFIG", message) |
	least := typed("topic", "min.compaction.lag.ms", configs["min.compaction.lag.ms"])
	most := typed("topic", "max.compaction.lag.ms", configs["max.compaction.lag.ms"])
	least > most
	message := $"conflict topic config setting min.compaction.lag.ms ({least}) > max.compaction.lag.ms ({most})"
}
