package kafka.configs

import data.kafka.base.errors
import data.kafka.base.request

# METADATA
# title: Before and after
# description: |
#   The configs of a resource before and after a change (KAFKA-15014), from any of the three forms of a change:
#   `before` and `after` are overrides, `explicit` what the change names, `implicitlyDeleted` what it removes unsaid.
# entrypoint: true
change := resolved(_resource_kind, _configs_before, input.change) if {
	_input_problems == set()
} else := {
	"before": {},
	"after": {},
	"explicit": {},
	"implicitlyDeleted": [],
	"errors": errors.sorted({errors.new("INVALID_REQUEST", problem) | some problem in _input_problems}),
}

_resource_kind := kinds[lower(replace(object.get(input, "resourceType", "topic"), "_", "-"))]

_configs_before := object.get(input, "before", object.get(input, ["change", "before"], {}))

_input_problems contains $"resourceType: {json.marshal(input.resourceType)} is unknown: use one of {known}" if {
	is_object(input)
	not _resource_kind
	known := concat(", ", object.keys(kinds))
}

_input_problems contains "the input is not a JSON object: send one with a change" if not _is_input_object

_input_problems contains "before: an object of config names to strings is needed" if {
	not request.is_a("labels", _configs_before)
}

_input_problems contains "before: another than that of the change: send one of them" if {
	request.is_a("change", input.change)
	input.change.before != _configs_before
}

_input_problems contains $"change: {request.kinds.change.words} is needed" if {
	not request.is_a("change", object.get(input, "change", null))
}

_is_input_object if is_object(input)

# METADATA
# description: The kind, as the catalogue names it, of each of Kafka's resource types with configs.
kinds := {
	"topic": "topic",
	"broker": "broker",
	"broker-logger": "brokerLogger",
	"group": "group",
	"client-metrics": "clientMetrics",
}

# METADATA
# description: |
#   As the entry point `change`, for a `change` to the overrides `before` of a resource of `kind`: what a change of mode
#   resolved says was before counts for nothing here.
resolved(kind, before, change) := {
	"before": before,
	"after": after(kind, before, change),
	"explicit": explicit(kind, before, change),
	"implicitlyDeleted": implicitly_deleted(before, change),
	"errors": errors.sorted(change_errors(kind, change, set())),
}

# METADATA
# description: |
#   What Kafka refuses of a change to the overrides `before`: an operation that cannot be done, else a value that it
#   sets. An override that it does not touch, such as one that only an older release took, refuses nothing. `lists` as
#   in `change_errors`.
refusals(kind, before, change, lists) := refused if {
	refused := change_errors(kind, change, lists)
	refused != set()
} else := union({too_long(before, changed), invalid(kind, touched), conflicts_of(kind, changed, touched)}) if {
	changed := after(kind, before, change)
	touched := explicit(kind, before, change)
}

# METADATA
# description: |
#   What a broker refuses of a change before it looks at values, with its own words. `lists` are names of configs that
#   the catalogue lacks and that may be lists.
change_errors(kind, change, lists) := union({
	_duplicate_key_errors(change),
	_null_value_errors(change),
	_list_operation_errors(kind, change, lists),
})

_duplicate_key_errors(change) := {errors.new("INVALID_REQUEST", "Error due to duplicate config keys") |
	some i, op in change.ops
	some j, other in change.ops
	i < j
	op.name == other.name
}

_null_value_errors(change) := {errors.new("INVALID_REQUEST", message) |
	names := _null_names(change)
	names != []
	message := $"Null value not supported for : {concat(", ", names)}"
}

# In the order of the request, as far as JSON keeps it.
_null_names(change) := [op.name | some op in change.ops; op.op != "DELETE"; object.get(op, "value", null) == null] if {
	change.mode == "incremental"
} else := [name | some name, null in change.entries]

_list_operation_errors(kind, change, lists) := {errors.new("INVALID_CONFIG", message) |
	some op in change.ops
	op.op in {"APPEND", "SUBTRACT"}
	not op.name in lists
	message := _list_operation_message(kind, op)
}

# Brokers check their own keys; a controller knows the lists of topics only, so that no key of a group is one to it.
_list_operation_message("broker", op) := $"Unknown config name: {op.name}" if {
	not data.catalog.broker.types[op.name]
} else := $"Unknown config name: {op.name}" if {
	data.catalog.broker.configs[op.name].onlyDynamic
} else := $"Config value {lower(op.op)} is not allowed for config key: {op.name}" if {
	type_of("broker", op.name) != "list"
} else := $"Config value {lower(op.op)} is not allowed for config key: {op.name}" if {
	op.name in object.get(data.catalog.broker, "asText", []) # by an older release
}

_list_operation_message("topic", op) := _list_type_message(op) if type_of("topic", op.name) != "list"

_list_operation_message("group", op) := _list_type_message(op)

_list_operation_message("clientMetrics", op) := _list_type_message(op)

_list_type_message(op) := $"Can't {op.op} to key {op.name} because its type is not LIST."
