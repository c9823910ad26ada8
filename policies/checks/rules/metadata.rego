package checks.rules

import data.checks.controls
import data.kafka.operations

_id_pattern := `^KFK-[A-Z]{3}-[0-9]{3}$`

# Parts of an audit are no operations to the reader of a rule; those about placement are none of Kafka's.
_operations := sort({"Admission", "Remediation"} | {operation |
	some operation, row in operations
	row.subject != "part"
})

_text := {"type": "string", "minLength": 1}

_texts_by_case := {"type": "object", "minProperties": 2, "additionalProperties": _text}

_schema := {
	"type": "object",
	"required": ["title", "description", "custom"],
	"properties": {
		"title": _text,
		"description": _text,
		"custom": {
			"type": "object",
			"additionalProperties": false,
			"required": ["id", "severity", "operations"],
			"properties": {
				"id": {"type": "string", "pattern": _id_pattern},
				"severity": {"enum": ["critical", "high", "medium", "low", "info"]},
				"controls": {"type": "array", "minItems": 1, "items": _text},
				"operations": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"enum": _operations}},
				"params": {"type": "object", "additionalProperties": {
					"type": "object",
					"required": ["type", "description"],
					"properties": {"description": _text, "direction": {"enum": ["least", "greatest"]}},
				}},
				"message": _text,
				"messages": _texts_by_case,
				"fix": _text,
				"fixes": _texts_by_case,
				"cap": {"const": true},
				"inherited": {"const": true},
				"order": {"oneOf": [{"const": "same"}, _distance]},
				"reversible": {"const": false},
				"named": {"oneOf": [{"const": "always"}, {"type": "array", "minItems": 1, "items": _text}]},
			},
		},
	},
}

# What is worse of a violation that was there before a change: how far one argument of it is away from another.
_distance := {
	"type": "object",
	"additionalProperties": false,
	"required": ["of", "from"],
	"properties": {"of": _text, "from": _text, "unlimited": {"const": true}},
}

# METADATA
# description: The METADATA of a rule has everything that its page, its settings and its violations are made of.
_metadata_problems contains _problem_at(rule, sentence) if {
	some rule in _library
	some error in json.match_schema(rule.annotation, _schema)[1]
	sentence := $"METADATA, {error.field}: {error.desc}"
}

_metadata_problems contains _problem_at(rule, $"METADATA, custom.params.{name}: not a JSON schema: {result[1]}") if {
	some rule in _library
	some name, schema in rule.annotation.custom.params
	result := json.verify_schema(schema)
	result[0] == false
}

_metadata_problems contains _problem_at(rule, $"METADATA, custom.{sentence}") if {
	some rule in _library
	some sentence in controls.misnamed(rule.annotation.custom.controls, input.controls)
}

_metadata_problems contains _problem_at(
	rule,
	$"{rule.annotation.custom.id} is the id of the rule in {other.file} too",
) if {
	some rule, other in _rules_with_same_id
	rule.annotation.custom.id == other.annotation.custom.id
}

_metadata_problems contains _problem_at(rule, $"{id} is retired: take the next free number") if {
	some rule in _library
	id := rule.annotation.custom.id
	id in data.checks.rules.retired
}

# What is in braces has to be filled: by an argument that the file makes, or by the bounds.
_metadata_problems contains _problem_at(rule, $"METADATA, custom.{field}: nothing fills \{{place}}") if {
	some rule in _library
	some [field, text] in _violation_texts(rule.annotation.custom)
	some [_, place] in regex.find_all_string_submatch_n(`\{([^{}]*)\}`, text, -1)
	not place in _arguments(rule.file)
}

# What is counted of an estate is read from messages (checks.proposal).
_metadata_problems contains _problem_at(
	rule,
	$"METADATA, custom.params.{name}: a direction needs a message with {needed}",
) if {
	some rule in _library
	some name, schema in rule.annotation.custom.params
	schema.direction
	begins := {regex.find_n(`^[^{]*\{actual\}`, text, 1) |
		some [field, text] in _violation_texts(rule.annotation.custom)
		startswith(field, "message")
	}
	not _is_one_begin(begins)
	needed := "{actual}, no other place before it, and the same words in each case"
}

_is_one_begin(begins) if {
	count(begins) == 1
	not [] in begins
}

_problem_at(rule, message) := _problem(rule.file, {"location": {"row": rule.row}}, message)

_rules_with_same_id[rule] := other if {
	some rule in _library
	others := [other | some other in _library; other != rule; other.annotation.custom.id == rule.annotation.custom.id]
	other := others[0]
}

_arguments(file) := {"direction", "limit"} | {key.value |
	walk(input.modules[file], [_, object_term])
	object_term.type == "object"
	some [key, _] in object_term.value
}
