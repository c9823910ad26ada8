package checks.rules_test

_patterns_param(schema) := _with_annotations([{"op": "add", "path": "/custom/params/names", "value": schema}])

_pattern_messages(document) := {message | some message in _messages(document); contains(message, "glob")}

test_a_parameter_of_patterns_says_so[note] if {
	described := "Names; * matches any characters."
	undeclared := "write format: glob beside its type"
	undescribed := "say: * matches any characters (glob)"
	some note, tc in {
		"both": {"text": described, "items": {"type": "string", "format": "glob"}, "wrong": set()},
		"neither": {"text": "Names.", "items": {"type": "string"}, "wrong": set()},
		"no format": {"text": described, "items": {"type": "string"}, "wrong": {undeclared}},
		"another format": {"text": described, "items": {"type": "string", "format": "regex"}, "wrong": {undeclared}},
		"no word of it": {"text": "Names.", "items": {"type": "string", "format": "glob"}, "wrong": {undescribed}},
		"deep inside": {
			"text": described,
			"items": {"type": "object", "additionalProperties": {"type": "string", "format": "glob"}},
			"wrong": set(),
		},
		"a field of that value": {"text": "Names.", "items": {"type": "string", "const": "glob"}, "wrong": set()},
	}
	found := _pattern_messages(_patterns_param({"type": "array", "items": tc.items, "description": tc.text}))
	found == {$"METADATA, custom.params.names: {message}" | some message in tc.wrong}
}

test_a_rule_that_matches_patterns_has_a_parameter_of_them[note] if {
	some note, tc in {
		"it has": {"format": "glob", "callee": "glob.match", "wrong": set()},
		"it has none": {
			"format": "date", "callee": "glob.match",
			"wrong": {"METADATA, custom.params: glob.match needs one with format: glob"},
		},
		"it matches none": {"format": "date", "callee": "object.get", "wrong": set()},
	}
	text := {"glob": "* matches any characters.", "date": "Days."}[tc.format]
	document := _patterns_param({"type": "string", "format": tc.format, "description": text})
	source := concat("\n", [_source, $"_is_x(pattern) if {tc.callee}(pattern, [], \"a\")"])
	tc.wrong == _pattern_messages(object.union(document, {"modules": {_file: _module(_file, source)}}))
}
