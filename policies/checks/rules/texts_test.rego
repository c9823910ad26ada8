package checks.rules_test

_two := {"below": "{actual} is below", "above": "{actual} is above"}

_case_patches(texts) := [
	{"op": "remove", "path": "/custom/message"},
	{"op": "add", "path": "/custom/messages", "value": texts},
]

_source_of_cases := replace(
	_source,
	"{\"actual\": actual,",
	"{\"case\": \"below\", \"and\": \"above\", \"actual\": actual,",
)

test_texts_by_case[note] if {
	some note, tc in {
		"one for each case": {"texts": _two, "messages": set()},
		"a bare place": {
			"texts": object.union(_two, {"above": " {actual} "}),
			"messages": {"METADATA, custom.messages.above: write what the rule says, not only  {actual} "},
		},
		"a place that nothing fills": {
			"texts": object.union(_two, {"above": "{most} is above"}),
			"messages": {"METADATA, custom.messages.above: nothing fills {most}"},
		},
		"a case that the file has not": {
			"texts": object.union(_two, {"other": "other"}),
			"messages": {"METADATA, custom.messages: the file has no case other"},
		},
		"a case without a text": {
			"texts": {"above": "above", "high": "high"},
			"messages": {
				"METADATA, custom.messages: the file has no case high",
				"METADATA, custom.messages: no text for the case below",
			},
		},
	}
	whole := _with_annotations(_case_patches(tc.texts))
	module := _module(_file, _source_of_cases)
	changed := json.patch(whole, [{"op": "replace", "path": ["modules", _file], "value": module}])
	tc.messages == _messages(changed)
}

test_a_bare_place_is_no_message if {
	patch := [{"op": "replace", "path": "/custom/message", "value": "{actual}"}]
	_messages(_with_annotations(patch)) == {"METADATA, custom.message: write what the rule says, not only {actual}"}
}

_left_to_the_body(place) := {$"METADATA, custom.message: write messages by case, not {place} at the end"}

test_the_end_of_a_message_is_not_left_to_the_body[note] if {
	some note, tc in {
		"problem": {"message": "it {problem}", "value": "actual", "wrong": _left_to_the_body("{problem}")},
		"what": {"message": "it is {what}", "value": "actual", "wrong": _left_to_the_body("{what}")},
		"in the middle": {"message": "{problem} is it", "value": "actual", "wrong": set()},
		"another place": {"message": "it is {actual}", "value": "actual", "wrong": set()},
		"the message of something else": {"message": "it: {problem}", "value": "found.message", "wrong": set()},
		"a field of something else": {
			"message": "it: {problem}",
			"value": "found.text",
			"wrong": _left_to_the_body("{problem}"),
		},
		"what it takes is something else's": {
			"message": "it: {problem}",
			"value": "_said(found.message)",
			"wrong": _left_to_the_body("{problem}"),
		},
	}
	tc.wrong == _messages(_ending(tc.message, tc.value))
}

# A rule with this message, whose body gives this value as the problem.
_ending(message, value) := json.patch(
	_with_annotations([{"op": "replace", "path": "/custom/message", "value": message}]),
	[{"op": "replace", "path": ["modules", _file], "value": _module(_file, source)}],
) if {
	source := replace(
		_source,
		"{\"actual\"",
		sprintf("{\"problem\": %s, \"what\": actual, \"actual\"", [value]),
	)
}

test_one_text_or_several if {
	patch := [{"op": "add", "path": "/custom/fixes", "value": {"KFK-DUR-009": "a", "actual": "b"}}]
	"METADATA, custom: fix or fixes, not both" in _messages(_with_annotations(patch))
}
