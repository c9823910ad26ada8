package checks.schemas

import data.kafka.base.request
import data.kafka.operations

# METADATA
# description: |
#   One decision input. What holds of the request by the operation stands in `then`, and not in `allOf` alone, since
#   OPA's type checker (`opa check --schema`) cannot merge alternatives and takes no notice of conditions.
_decision_input_schema := object.union(_closed_object(_envelope_fields, object.keys(request.envelope.required)), {
	"title": "Decision input",
	"description": "The document about one resource that a decision is made for.",
	"if": {"required": ["operation", "request"]},
	"then": {"allOf": [_request_condition(operation) | some operation in _operation_names]},
	"$defs": {operation: _request_schema(operation, row) | some operation, row in operations},
})

_operation_names := sort(object.keys(operations))

_request_condition(operation) := {
	"if": {"properties": {"operation": {"const": operation}}},
	"then": {"properties": {"request": {"$ref": $"#/$defs/{operation}"}}},
}

_envelope_fields := object.union(
	{field: _with_description(_field_schema(request.envelope, field), _field_meaning("", field)) |
		some field, _ in request.envelope.types
	},
	{"operation": _with_description({"enum": _operation_names}, _field_meaning("", "operation"))},
)

_request_schema(operation, row) := object.union(_closed_object(properties, object.keys(row.required)), {
	"title": annotation.title, "description": trim_space(annotation.description),
}) if {
	annotation := _annotation_by_operation[operation]
	properties := {field: _with_description(_field_schema(row, field), _field_meaning(operation, field)) |
		some field, _ in row.types
	}
}

_field_schema(row, field) := _nullable_schema(_non_null_field_schema(row, field)) if {
	field in object.get(row, "nullable", set())
} else := _non_null_field_schema(row, field)

_non_null_field_schema(row, field) := request.kinds[object.get(row.inside, field, row.types[field])].schema

# The METADATA of an operation's row.
_annotation_by_operation[operation] := entry.annotations if {
	some entry in input.annotations
	some operation, _ in operations
	[part.value | some part in entry.path] == ["data", "kafka", "operations", operation]
}
