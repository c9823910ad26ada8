package kafka.configs

import data.kafka.base.errors
import data.kafka.lists
import data.kafka.lists.scope

# METADATA
# description: |
#   What Kafka would refuse in these overrides of a resource of `kind`, in the words of its ConfigDef; unknown names are
#   another matter (topics/unknown.rego).
invalid(kind, configs) := set() if {
	configs == {}
} else := union({
	_invalid_value_errors(kind, configs),
	_invalid_list_errors(kind, configs),
	_compaction_lag_errors(kind, configs),
})

_invalid_value_errors(kind, configs) := {errors.new("INVALID_CONFIG", fault.message) |
	some fault in value_faults(kind, configs, _readable_values(kind, configs))
}

# METADATA
# description: |
#   As `invalid`, of each value by itself, with its name; lists are another matter (kafka/lists). `parsed` is what
#   `values` makes of the configs.
value_faults(kind, configs, parsed) := {{"name": name, "message": message} |
	rows := data.catalog[kind].configs
	some name, text in configs
	text != null
	row := rows[name]
	value := object.get(parsed, name, null)

	# Nearly all values are plainly valid: only for the others a function looks for what is wrong.
	middle := sort([object.get(row, "min", null), value, object.get(row, "max", {})])[1]
	allowed := object.get(row, "validStrings", [value])
	[{value, row.type} & _values_and_types_to_examine, middle, value in allowed] != [set(), value, true]
	problem := _value_problem(row, value)
	said := replace(problem, "{name}", name)
	message := $"Invalid value {_java_value_text(row.type, text, value)} for configuration {name}: {said}"
}

# Values and types for which a range and a list of texts are not all that counts.
_values_and_types_to_examine := {null, "", "class", "list"}

# METADATA
# description: |
#   What the validator of a `row` like the catalogue's refuses in a text, in Kafka's words; undefined where it takes it.
#   Lists are another matter.
fault_of(row, name, text) := message if {
	text != null
	row.type != "list"
	value := _parsed_value_or_null(row.type, text)
	said := replace(_value_problem(row, value), "{name}", name)
	message := $"Invalid value {_java_value_text(row.type, text, value)} for configuration {name}: {said}"
}

_parsed_value_or_null(type, text) := value if {
	value := _parsed_value(type, text)
} else := null

# As `values`, also where one of the overrides is neither a string nor null.
_readable_values(kind, configs) := parsed if {
	parsed := values(kind, configs)
} else := {name: value | some name, text in configs; value := typed(kind, name, text)}

# Lists, by their catalogue. What stands twice is dropped before Kafka looks at the rest, so that it refuses
# none of it. Of groups and client metrics no list is checked.
_invalid_list_errors(kind, configs) := {errors.new("INVALID_CONFIG", fault.message) |
	some entry in scope.own_rows(kind, _list_component_by_kind[kind], configs)
	entry.value != null
	not entry.value in entry.row.validStrings
	some fault in lists.faults(entry.row, entry.name, entry.value)
	fault.kind != "duplicate"
}

# The component of the catalogue of lists that a kind of resource is; groups have no list.
_list_component_by_kind := {"topic": "topic", "broker": "broker", "clientMetrics": "client-metrics"}

# LogConfig.validateValues: the one pair of topic configs that Kafka compares.
_compaction_lag_errors(kind, configs) := {errors.new("INVALID_CONFIG", message) |
	kind == "topic"
	least := typed("topic", "min.compaction.lag.ms", configs["min.compaction.lag.ms"])
	most := typed("topic", "max.compaction.lag.ms", configs["max.compaction.lag.ms"])
	least > most
	message := $"conflict topic config setting min.compaction.lag.ms ({least}) > max.compaction.lag.ms ({most})"
}

# METADATA
# description: As `invalid`, of overrides that contradict each other, where one of them is among those `touched`.
# scope: document
conflicts_of(kind, configs, touched) := _compaction_lag_errors(kind, configs) if {
	some name in ["min.compaction.lag.ms", "max.compaction.lag.ms"]
	name in object.keys(touched)
} else := set()
