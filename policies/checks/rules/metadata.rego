package checks.rules

import data.checks.controls

_id_pattern := `^KFK-[A-Z]{3}-[0-9]{3}$`

_text_schema := {"type": "string", "minLength": 1}

_texts_by_case_schema := {"type": "object", "minProperties": 2, "additionalProperties": _text_schema}

_metadata_schema := {
	"type": "object",
	"required": ["title", "description", "custom"],
	"properties": {
		"title": _text_schema,
		"description": _text_schema,
		"custom": {
			"type": "object",
			"additionalProperties": false,
			"required": ["id", "severity", "operations"],
			"properties": {
				"id": {"type": "string", "pattern": _id_pattern},
				"severity": {"enum": ["critical", "high", "medium", "low", "info"]},
				"controls": {"type": "array", "minItems": 1, "items": _text_schema},
				"operations": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"enum": _operations}},
				"params": {"type": "object", "additionalProperties": {
					"type": "object",
					"required": ["type", "description"],
					"properties": {"description": _text_schema, "direction": {"enum": ["least", "greatest"]}},
				}},
				"message": _text_schema,
				"messages": _texts_by_case_schema,
				"fix": _text_schema,
				"fixes": _texts_by_case_schema,
				"cap": {"const": true},
				"inherited": {"const": true},
				"order": {"oneOf": [{"const": "same"}, _distance_schema]},
				"reversible": {"const": false},
				"named": {"oneOf": [{"const": "always"}, {"type": "array", "minItems": 1, "items": _text_schema}]},
			},
		},
	},
}

# What is worse of a violation that was there before a change: how far one argument of it is away from another.
_distance_schema := {
	"type": "object",
	"additionalProperties": false,
	"required": ["of", "from"],
	"properties": {"of": _text_schema, "from": _text_schema, "unlimited": {"const": true}},
}

# METADATA
# description: The METADATA of a rule has everything that its page, its settings and its violations are made of.
_metadata_problems contains _problem_at(rule, sentence) if {
	some rule in _library_rules
	some error in json.match_schema(rule.annotation, _metadata_schema)[1]
	sentence := $"METADATA, {error.field}: {error.desc}"
}

_metadata_problems contains _problem_at(rule, $"METADATA, custom.params.{name}: not a JSON schema: {result[1]}") if {
	some rule in _library_rules
	some name, schema in rule.annotation.custom.params
	result := json.verify_schema(schema)
	result[0] == false
}

_metadata_problems contains _problem_at(rule, $"METADATA, custom.{sentence}") if {
	some rule in _library_rules
	some sentence in controls.name_problems(rule.annotation.custom.controls, input.controls)
}

_metadata_problems contains _problem_at(
	rule,
	$"{rule.annotation.custom.id} is the id of the rule in {other.file} too",
) if {
	some rule, other in _other_rule_with_same_id
	rule.annotation.custom.id == other.annotation.custom.id
}

_metadata_problems contains _problem_at(rule, $"{id} is retired: take the next free number") if {
	some rule in _library_rules
	id := rule.annotation.custom.id
	id in data.checks.rules.retired
}

# What is in braces has to be filled: by an argument that the file makes, or by the bounds.
_metadata_problems contains _problem_at(rule, $"METADATA, custom.{field}: nothing fills \{{place}}") if {
	some rule in _library_rules
	some [field, text] in _violation_texts(rule.annotation.custom)
	some [_, place] in regex.find_all_string_submatch_n(`\{([^{}]*)\}`, text, -1)
	not place in _message_argument_names(rule.file)
}

# What is counted of an estate is read from messages (checks.proposal).
_metadata_problems contains _problem_at(
	rule,
	$"METADATA, custom.params.{name}: a direction needs a message with {needed}",
) if {
	some rule in _library_rules
	some name, schema in rule.annotation.custom.params
	schema.direction
	beginnings := {regex.find_n(`^[^{]*\{actual\}`, text, 1) |
		some [field, text] in _violation_texts(rule.annotation.custom)
		startswith(field, "message")
	}
	not _are_equal_beginnings(beginnings)
	needed := "{actual}, no other place before it, and the same words in each case"
}

_are_equal_beginnings(beginnings) if {
	count(beginnings) == 1
	not [] in beginnings
}

_other_rule_with_same_id[rule] := other if {
	some rule in _library_rules
	twins := [other | some other in _library_rules; other != rule; other.annotation.custom.id == rule.annotation.custom.id]
	other := twins[0]
}

_message_argument_names(file) := {"direction", "limit"} | {key.value |
	walk(input.modules[file], [_, object_term])
	object_term.type == "object"
	some [key, _] in object_term.value
}
