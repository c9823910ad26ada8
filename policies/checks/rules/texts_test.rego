package checks.rules_test

_two := {"below": "{actual} is below", "above": "{actual} is above"}

_by_case(texts) := [
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
	whole := _with_annotations(_by_case(tc.texts))
	module := _module(_file, _source_of_cases)
	changed := json.patch(whole, [{"op": "replace", "path": ["modules", _file], "value": module}])
	tc.messages == _messages(changed)
}

test_a_bare_place_is_no_message if {
	patch := [{"op": "replace", "path": "/custom/message", "value": "{actual}"}]
	_messages(_with_annotations(patch)) == {"METADATA, custom.message: write what the rule says, not only {actual}"}
}

test_one_text_or_several if {
	patch := [{"op": "add", "path": "/custom/fixes", "value": {"KFK-DUR-009": "a", "actual": "b"}}]
	"METADATA, custom: fix or fixes, not both" in _messages(_with_annotations(patch))
}
