package checks.schemas

import data.kafka.operations

# METADATA
# description: One decision; `entries` only where a row of kafka/operations says that it answers with them.
_decision_schema := object.union(_closed_object(_decision_fields, object.keys(_common_fields)), {
	"title": "Decision",
	"description": "OPA's answer about one decision input.",
	"if": {"properties": {"allowed": {"const": true}}},
	"then": {"properties": {"errors": {"maxItems": 0}, "error": {"type": "null"}}},
	"else": {"properties": {"errors": {"minItems": 1}, "error": {"type": "object"}}},
})

_decision_fields := object.union_n([
	_common_fields, _answer_fields, _unevaluated_rules_schema, _ordered_item_fields, _invalid_input_fields,
])

_common_fields := {
	"allowed": {"type": "boolean", "description": "True exactly where `errors` is empty."},
	"errors": _with_description(_texts_schema, "The messages that deny, sorted."),
	"error": _with_description(_nullable_schema(_kafka_error_schema), "The error as Kafka would answer it."),
	"violations": {"type": "array", "items": _violation_schema, "description": "Every rule that is broken."},
	"warnings": _with_description(_texts_schema, "Messages of violations that only warn, and of old state."),
	"annotations": _with_description(
		_open_object({"configs": _map_of(_text_schema)}, []),
		"What the policy wants on the resource.",
	),
	"stateAge": {
		"type": ["number", "null"],
		"description": "Seconds since the cluster's state was observed, null where that is not known.",
	},
	"revision": {"type": ["string", "null"], "description": "Revision of the bundle."},
}

_unevaluated_rules_schema := {"notEvaluated": {
	"type": "array",
	"items": _closed_object({"rule": _text_schema, "unknown": _texts_schema}, ["rule", "unknown"]),
	"description": "Only where the input has `unknown`: the rules that read some of it, which were not evaluated.",
}}

_ordered_item_fields := {
	"charges": {
		"type": "object",
		"additionalProperties": {"type": "number"},
		"description": "Only of items with an `order`: what an allowed one adds, by JSON pointers into the cluster's state.",
	},
	"effect": {
		"type": ["object", "null"],
		"description": concat(" ", [
			"Only where the batch has `changes`, of an allowed item that changes a topic: the fields of its state that it",
			"leaves otherwise than they were, null where it deletes the topic.",
		]),
	},
}

_invalid_input_fields := {"invalidInput": {
	"const": true,
	"description": "Only where the input cannot be read: nothing was decided, and the request is denied.",
}}

_answer_fields[field] := _with_description({"type": "array", "items": {"type": "object"}}, description) if {
	some row in operations
	some field in row.answers
	description := $"Only of {concat(" and ", sort({name | some name, other in operations; field in other.answers}))}."
}

_kafka_error_schema := _closed_object(
	{"code": {"type": "integer"}, "name": _text_schema, "message": _text_schema},
	["code", "name", "message"],
)

_violation_schema := _closed_object(
	{
		"rule": _with_description(_text_schema, "The rule's id."), "effect": {"enum": ["deny", "warn", "dryrun", "waived"]},
		"severity": {"enum": ["critical", "high", "medium", "low", "info"]},
		"message": _text_schema,
		"path": {"type": "array", "items": {"type": ["string", "number"]}, "description": "To the value at fault."},
		"fix": _text_schema,
		"patch": {"type": "array", "items": {"type": "object"}, "description": "JSON Patch of the request, or []."},
		"waiver": _nullable_schema(_waiver_schema),
		"cause": {
			"enum": ["found", "caused", null],
			"description": "Whether the change causes it, or it was there before; null where nobody looked.",
		},
		"before": _with_description(_text_schema, "Only of one that was found: its message before the change."),
		"topics": _with_description(_affected_topics_schema, "Only of what a request about a broker does to topics."),
	},
	["rule", "effect", "severity", "message", "path", "fix", "patch", "waiver", "cause"],
)

_affected_topics_schema := _closed_object(
	{
		"config": _with_description(_text_schema, "What is at fault, of a topic."),
		"count": {"type": "integer", "minimum": 0, "description": "How many topics there are that break the rule."},
		"names": _with_description(_texts_schema, "The first of them."),
		"everyNew": {"type": "boolean", "description": "Whether a new topic that does not set it would break it too."},
	},
	["config", "count", "names", "everyNew"],
)

_waiver_schema := _closed_object(
	{
		"id": _text_schema, "owner": _text_schema, "reason": _text_schema, "ticket": _text_schema, "expires": _text_schema,
		"expired": {"type": "boolean"},
	},
	["id", "owner", "reason", "expires", "expired"],
)
