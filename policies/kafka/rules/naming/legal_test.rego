package kafka.rules.naming_test

import data.kafka.rules.naming as family

_legal(operation, name, longest) := {
	"operation": operation,
	"params": {"KFK-NAM-003": {"maxLength": longest}},
	"topic": name,
}

_illegal(name, problem, longest) := {
	"rule": "KFK-NAM-003",
	"severity": "high",
	"message": sprintf("topic name \"%s\" is %s", [name, problem]),
	"fix": object.get(
		{_dots: "use a name of other characters than dots alone"}, problem,
		$"use at most {longest} of the characters a-z, A-Z, 0-9, \".\", \"_\" and \"-\"",
	),
	"path": ["topic"],
	"patch": [],
}

_characters := "not legal, it has characters other than a-z, A-Z, 0-9, \".\", \"_\" and \"-\""

_dots := "not legal, it may not be \".\" or \"..\""

test_legal[name] if {
	some name, problems in {
		"aZ0._-": set(),
		"...": set(),
		".": {_dots},
		"..": {_dots},
		".a": set(),
		"": {_characters},
		"a b": {_characters},
		"a\n": {_characters},
		"a/b": {_characters},
		"ä": {_characters},
		"12345678": set(),
		"123456789": {"longer than 8 characters"},
		"12345678 ": {_characters},
	}
	deny := family.deny with input as _legal("CreateTopic", name, 8)
	deny == {_illegal(name, problem, 8) | some problem in problems}
}

test_legal_at_the_limit_of_kafka[note] if {
	some note, tc in {"249": {"length": 249, "n": 0}, "250": {"length": 250, "n": 1}}
	name := concat("", ["a" | some _ in numbers.range(1, tc.length)])
	deny := family.deny with input as _legal("CreateTopic", name, 249)
	paths := {0: [], 1: [["topic"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}
