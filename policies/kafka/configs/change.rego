package kafka.configs

import data.kafka.errors

# METADATA
# title: Before and after
# description: |
#   The configs of a resource before and after a change (KAFKA-15014), from any of the three forms of a change:
#   `before` and `after` are overrides, `explicit` what the change names, `implicitlyDeleted` what it removes unsaid.
# entrypoint: true
change := resolved(object.get(input, "before", {}), input.change)

# METADATA
# description: As the entry point `change`, for a `change` to the overrides `before` of a topic.
resolved(before, change) := {
	"before": object.get(change, "before", before),
	"after": after(before, change),
	"explicit": explicit(before, change),
	"implicitlyDeleted": implicitly_deleted(before, change),
	"errors": errors.sorted(change_errors(change)),
}

# METADATA
# description: What a broker refuses in an incremental change, with its own words.
change_errors(change) := union({_doubled(change), _nulls(change), _not_lists(change)})

_doubled(change) := {errors.new("INVALID_REQUEST", "Error due to duplicate config keys") |
	some i, op in change.ops
	some j, other in change.ops
	i < j
	op.name == other.name
}

_nulls(change) := {errors.new("INVALID_REQUEST", message) |
	names := {op.name | some op in change.ops; op.op != "DELETE"; object.get(op, "value", null) == null}
	names != set()
	message := $"Null value not supported for : {concat(", ", sort(names))}"
}

_not_lists(change) := {errors.new("INVALID_CONFIG", message) |
	some op in change.ops
	op.op in {"APPEND", "SUBTRACT"}
	type_of(op.name) != "list"
	message := $"Can't {op.op} to key {op.name} because its type is not LIST."
}
