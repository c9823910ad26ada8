# METADATA
# title: Form of a decision input
# description: |
#   Which fields a decision input has, what may stand in them, and whether a document is so. envelope.rego has the
#   fields, kafka/operations those of each operation's request, this file the kinds; types.rego and errors.rego compare.
# scope: subpackages
package kafka.base.request

# METADATA
# description: |
#   What may stand in a field, by its kind: a JSON type, or what a row names in `inside`. `words` are those of error
#   messages, `schema` is the same as JSON Schema; `is_a` (types.rego) decides, since it costs a tenth.
kinds := object.union(_topic_field_kinds, _other_field_kinds)

_topic_field_kinds := {
	"string": {"words": "a string", "schema": {"type": "string"}},
	"boolean": {"words": "true or false", "schema": {"type": "boolean"}},
	"number": {"words": "a number", "schema": {"type": "number"}},
	"array": {"words": "a list", "schema": {"type": "array"}},
	"object": {"words": "an object", "schema": {"type": "object"}},
	"name": {"words": "a non-empty string", "schema": {"type": "string", "minLength": 1}},
	"topicName": {"words": "a non-empty string", "schema": {"type": "string", "minLength": 1}},
	"integer": {"words": "an integer", "schema": _integer_schema},
	"time": {
		"words": "a time in RFC 3339, as in \"2026-11-21T10:00:00Z\"",
		"schema": {"type": "string", "format": "date-time", "pattern": _time_pattern},
	},
	"configs": {
		"words": "an object of config names to strings or null",
		"schema": _map_schema({"type": ["string", "null"]}),
	},
	"labels": {"words": "an object of label names to strings", "schema": _map_schema({"type": "string"})},
	"assignments": {
		"words": "an object of partition numbers to lists of broker ids, as in {\"0\": [1, 2]}",
		"schema": _partition_map_schema(_broker_ids_schema),
	},
	"replicaLists": {
		"words": "a list of lists of broker ids, as in [[1, 2], [2, 3]]",
		"schema": {"type": "array", "items": _broker_ids_schema},
	},
	"reassignments": {
		"words": "an object of partition numbers to lists of broker ids or null, as in {\"0\": [4, 5], \"1\": null}",
		"schema": _partition_map_schema({"type": ["array", "null"], "items": _integer_schema}),
	},
	"offsets": {
		"words": "an object of partition numbers to offsets, -1 for the high watermark, as in {\"0\": 1234}",
		"schema": _partition_map_schema({"type": "integer"}),
	},
	"change": {
		"words": concat(" ", [
			"a config change: {\"mode\": \"incremental\", \"ops\": […]}, {\"mode\": \"full\", \"entries\": {…}} or",
			"{\"mode\": \"resolved\", \"before\": {…}, \"after\": {…}}",
		]),
		"schema": {"type": "object", "oneOf": [
			_closed_object_schema(
				{"mode": {"const": "incremental"}, "ops": {"type": "array", "items": _config_op_schema}},
				{"mode", "ops"},
			),
			_closed_object_schema(
				{"mode": {"const": "full"}, "entries": _map_schema({"type": ["string", "null"]})},
				{"mode", "entries"},
			),
			_closed_object_schema(
				{
					"mode": {"const": "resolved"},
					"before": _map_schema({"type": "string"}),
					"after": _map_schema({"type": ["string", "null"]}),
				},
				{"mode", "before", "after"},
			),
		]},
	},
}

_config_op_schema := _closed_object_schema(
	{
		"name": {"type": "string"},
		"op": {"enum": ["APPEND", "DELETE", "SET", "SUBTRACT"]},
		"value": {"type": ["string", "null"]},
	},
	{"name", "op"},
)

_integer_schema := {"type": "integer"}

_broker_ids_schema := {"type": "array", "items": _integer_schema}

_map_schema(values) := {"type": "object", "additionalProperties": values}

_partition_map_schema(values) := {
	"type": "object",
	"propertyNames": {"pattern": "^[0-9]+$"},
	"additionalProperties": values,
}

_closed_object_schema(properties, required) := {
	"type": "object",
	"additionalProperties": false,
	"required": sort(required),
	"properties": properties,
}

# What RFC 3339 and Go agree on; the days of a month are beyond it.
_time_pattern := concat("", [
	`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]`,
	`([.,][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`,
])
