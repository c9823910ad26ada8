package kafka.rules.naming_test

import data.kafka.rules.naming as family

_affixes := {"prefixes": ["dev.", "dev.eu."], "suffixes": [".v1", ".dlq"], "minCoreLength": 3}

_affixed(operation, name, params) := {
	"operation": operation,
	"params": {"KFK-NAM-002": params},
	"topic": name,
	"requested": {"internal": false},
}

_off_affixes(name, problem) := {
	"rule": "KFK-NAM-002",
	"severity": "low",
	"message": sprintf("topic name \"%s\" %s", [name, problem]),
	"fix": _choose("(dev.|dev.eu.)<3 characters or more>(.v1|.dlq)"),
	"path": ["topic"],
	"patch": [],
}

_choose(form) := sprintf("choose a name of the form %s; a name cannot be changed after creation", [form])

_few(n) := sprintf("has %d characters between its prefix and suffix, fewer than 3", [n])

_foreign := "begins with none of dev., dev.eu."

_other_end := "ends with none of .v1, .dlq"

test_affixes[name] if {
	some name, problems in {
		"dev.abc.v1": set(),
		"dev.eu.abc.dlq": set(),
		"dev.ab.v1": {_few(2)},
		"dev.eu.ab.v1": {_few(2)},
		"dev.v1": {_few(0)},
		"dev..v1": {_few(0)},
		"prod.abc.v1": {_foreign},
		"Dev.abc.v1": {_foreign},
		"dev.abc": {_other_end},
		"prod.abc": {_foreign},
		"": {_foreign},
	}
	deny := family.deny with input as _affixed("CreateTopic", name, _affixes)
	deny == {_off_affixes(name, problem) | some problem in problems}
}

test_affixes_left_open[note] if {
	some note, tc in {
		"long enough": {"name": "abc", "over": {}, "n": 0},
		"one too short": {"name": "ab", "over": {}, "n": 1},
		"only a prefix required": {"name": "dev.abc", "over": {"prefixes": ["dev."]}, "n": 0},
		"only a suffix required": {"name": "abc.v1", "over": {"suffixes": [".v1"]}, "n": 0},
		"no length required": {"name": "dev.", "over": {"prefixes": ["dev."], "minCoreLength": 0}, "n": 0},
	}
	params := object.union({"prefixes": [], "suffixes": [], "minCoreLength": 3}, tc.over)
	deny := family.deny with input as _affixed("CreateTopic", tc.name, params)
	paths := {0: [], 1: [["topic"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}

# The form that the fix shows leaves out what is not required.
test_affixes_form if {
	params := {"prefixes": [], "suffixes": [], "minCoreLength": 3}
	deny := family.deny with input as _affixed("CreateTopic", "ab", params)
	{_choose("<3 characters or more>")} == {v.fix | some v in deny}
}

test_affixes_of_internal_topics if {
	prepared := object.union(_affixed("AuditTopic", "__consumer_offsets", _affixes), {"requested": {"internal": true}})
	deny := family.deny with input as prepared
	deny == set()
}
