package kafka.violation_test

import data.kafka.violation

_metadata(message) := {"custom": {
	"id": "KFK-DUR-001",
	"severity": "critical",
	"message": message,
	"fix": "use {limit}",
}}

test_new_whole if {
	patch := [{"op": "replace", "path": "/replicationFactor", "value": 3}]
	found := violation.new(_metadata("{actual} of {limit}"), {"actual": 1, "limit": 3}, ["replicationFactor"], patch)
	found == {
		"rule": "KFK-DUR-001",
		"severity": "critical",
		"message": "1 of 3",
		"fix": "use 3",
		"path": ["replicationFactor"],
		"patch": patch,
	}
}

test_texts_by_case[note] if {
	some note, tc in {
		"its own": {"case": "low", "texts": ["1 is low", "raise 1"]},
		"one fix for all": {"case": "high", "texts": ["1 is high", "use 1"]},
		"a case without a text is named": {"case": "other", "texts": ["other", "use 1"]},
	}
	metadata := {"custom": {
		"id": "KFK-DUR-001",
		"severity": "low",
		"messages": {"low": "{x} is low", "high": "{x} is high"},
		"fix": "use {x}",
		"fixes": {"low": "raise {x}"},
	}}
	found := violation.new(metadata, {"case": tc.case, "x": 1}, [], [])
	tc.texts == [found.message, found.fix]
}

test_message_is_filled[note] if {
	some note, tc in {
		"string as it is": {"template": "name \"{x}\"", "args": {"x": "a\"b"}, "message": "name \"a\"b\""},
		"number": {"template": "{x}", "args": {"x": 9223372036854775807}, "message": "9223372036854775807"},
		"list and boolean": {"template": "{x} {y}", "args": {"x": ["a"], "y": false}, "message": "[\"a\"] false"},
		"twice": {"template": "{x}{x}", "args": {"x": 1}, "message": "11"},
		"no place for it": {"template": "plain", "args": {"x": 1}, "message": "plain"},
		"nothing for the place": {"template": "{y}", "args": {"x": 1}, "message": "{y}"},
		"what is filled in is not filled again": {
			"template": "{x} {y}",
			"args": {"x": "{y}", "y": "{x}"},
			"message": "{y} {x}",
		},
	}
	tc.message == violation.new(_metadata(tc.template), tc.args, [], []).message
}

# A patch is one of the request, whatever characters a config's name has.
test_patches_of_configs[name] if {
	some name in ["a.b", "a/b", "a~b", "a~1b"]
	json.patch({"configs": {}}, violation.addition(name, "1")) == {"configs": {name: "1"}}
	json.patch({"configs": {name: "1"}}, violation.removal(name)) == {"configs": {}}
}
