package checks.settings_test

import data.checks.settings

_problems(document, complete) := result if {
	problems := settings.problems with input as {"rules": _rules, "settings": document, "complete": complete}
	result := {object.remove(problem, ["unknown", "known"]) | some problem in problems}
}

test_no_problems if {
	_problems(_whole, true) == set()
	_problems({}, false) == set()
}

test_problems[note] if {
	some note, tc in {
		"unknown field": {
			"patch": {"op": "add", "path": "/rule", "value": {}},
			"problem": {"path": [], "message": "unknown field rule"},
		},
		"unknown rule": {
			"patch": {"op": "add", "path": "/rules/Z", "value": {}},
			"problem": {"path": ["rules"], "message": "unknown rule Z"},
		},
		"unknown rule of a cluster": {
			"patch": {"op": "add", "path": "/clusters/0/rules/Z", "value": {}},
			"problem": {"path": ["clusters", "0", "rules"], "message": "unknown rule Z"},
		},
		"unknown rule of an enforcement point": {
			"patch": {"op": "add", "path": "/enforcementPoints/ci/Z", "value": {}},
			"problem": {"path": ["enforcementPoints", "ci"], "message": "unknown rule Z"},
		},
		"unknown field of a rule": {
			"patch": {"op": "add", "path": "/enforcementPoints/ci/B/Mode", "value": "deny"},
			"problem": {"path": ["enforcementPoints", "ci", "B"], "message": "unknown field Mode"},
		},
		"unknown parameter": {
			"patch": {"op": "add", "path": "/rules/A/params/least", "value": 1},
			"problem": {"path": ["rules", "A", "params"], "message": "unknown parameter least"},
		},
		"a rule without settings": {
			"patch": {"op": "remove", "path": "/rules/A"},
			"problem": {"path": ["rules"], "message": "A is missing: write its mode and params"},
		},
		"unknown mode": {
			"patch": {"op": "replace", "path": "/rules/A/mode", "value": "block"},
			"problem": {
				"path": ["rules", "A", "mode"],
				"message": "must be one of the following: \"deny\", \"warn\", \"dryrun\", \"disabled\"",
			},
		},
		"type": {
			"patch": {"op": "replace", "path": "/rules/A/params/min", "value": "1"},
			"problem": {"path": ["rules", "A", "params", "min"], "message": "must be an integer, not a string"},
		},
		"range": {
			"patch": {"op": "replace", "path": "/rules/A/params/min", "value": 0},
			"problem": {"path": ["rules", "A", "params", "min"], "message": "must be greater than or equal to 1"},
		},
		"maximum below minimum": {
			"patch": {"op": "replace", "path": "/rules/A/params/min", "value": 3},
			"problem": {"path": ["rules", "A", "params", "max"], "message": "max 2 is below min 3"},
		},
		"unknown operation": {
			"patch": {"op": "add", "path": "/freshness/operations/DropTopic", "value": {}},
			"problem": {"path": ["freshness", "operations"], "message": "unknown operation DropTopic"},
		},
		"a part of an audit": {
			"patch": {"op": "add", "path": "/enforcementPoints/ci/freshness", "value": {"operations": {"AuditTopicName": {}}}},
			"problem": {
				"path": ["enforcementPoints", "ci", "freshness", "operations"],
				"message": "unknown operation AuditTopicName",
			},
		},
		"unknown field of freshness": {
			"patch": {"op": "add", "path": "/freshness/CreateTopic", "value": {}},
			"problem": {"path": ["freshness"], "message": "unknown field CreateTopic"},
		},
		"an age in words": {
			"patch": {"op": "add", "path": "/freshness/default/maxAgeSeconds", "value": "5m"},
			"problem": {
				"path": ["freshness", "default", "maxAgeSeconds"],
				"message": "must be a number, not a string",
			},
		},
		"an age below nothing": {
			"patch": {"op": "add", "path": "/clusters/0/freshness", "value": {"default": {"maxAgeSeconds": -1}}},
			"problem": {
				"path": ["clusters", "0", "freshness", "default", "maxAgeSeconds"],
				"message": "must be greater than or equal to 0",
			},
		},
		"the request alone, where it says not enough": {
			"patch": {"op": "add", "path": "/freshness/operations/AlterTopic", "value": {"then": "request"}},
			"problem": {
				"path": ["freshness", "operations", "AlterTopic", "then"],
				"message": "must be one of the following: \"deny\", \"ignore\", \"warn\"",
			},
		},
		"the request alone, whatever it is": {
			"patch": {"op": "replace", "path": "/freshness/default/then", "value": "request"},
			"problem": {
				"path": ["freshness", "default", "then"],
				"message": "must be one of the following: \"deny\", \"ignore\", \"warn\"",
			},
		},
		"no regular expression": {
			"patch": {"op": "replace", "path": "/rules/A/params/pattern", "value": "(a"},
			"problem": {
				"path": ["rules", "A", "params", "pattern"],
				"message": "\"(a\" is not a regular expression (RE2)",
			},
		},
		"a look-ahead is none": {
			"patch": {"op": "replace", "path": "/rules/A/params/pattern", "value": "(?!a)"},
			"problem": {
				"path": ["rules", "A", "params", "pattern"],
				"message": "\"(?!a)\" is not a regular expression (RE2)",
			},
		},
		"no day": {
			"patch": {"op": "replace", "path": "/rules/A/enforceFrom", "value": "2027-02-29"},
			"problem": {"path": ["rules", "A", "enforceFrom"], "message": "2027-02-29 is not a day of the calendar"},
		},
		"no day for a waiver to end": {
			"patch": {"op": "replace", "path": "/waivers/0/expires", "value": "2027-13-01"},
			"problem": {"path": ["waivers", "0", "expires"], "message": "2027-13-01 is not a day of the calendar"},
		},
		"no date": {
			"patch": {"op": "replace", "path": "/waivers/0/expires", "value": "soon"},
			"problem": {
				"path": ["waivers", "0", "expires"],
				"message": "invalid day: expected one such as 2026-12-31",
			},
		},
		"waiver of an unknown rule": {
			"patch": {"op": "replace", "path": "/waivers/0/rule", "value": "Z"},
			"problem": {"path": ["waivers", "0", "rule"], "message": "unknown rule Z"},
		},
		"waiver without its end": {
			"patch": {"op": "remove", "path": "/waivers/0/expires"},
			"problem": {"path": ["waivers", "0"], "message": "expires is missing: write it"},
		},
		"waiver with another's id": {
			"patch": {"op": "add", "path": "/waivers/-", "value": _whole.waivers[0]},
			"problem": {"path": ["waivers", "1", "id"], "message": "waiver W-1 is there already"},
		},
		"waiver that is not a mapping": {
			"patch": {"op": "add", "path": "/waivers/-", "value": "W-2"},
			"problem": {"path": ["waivers", "1"], "message": "must be a mapping, not a string"},
		},
	}
	{tc.problem} == _problems(json.patch(_whole, [tc.patch]), true)
}

_top_level := result if {
	result := object.keys(settings.schema.properties) with input as {"rules": _rules, "complete": true}
}

# Of an unknown name also those that there are.
test_known_names[note] if {
	some note, tc in {
		"field": {"path": "/rule", "unknown": "rule", "known": _top_level},
		"rule": {"path": "/rules/Z", "unknown": "Z", "known": object.keys(_rules)},
		"rule of an enforcement point": {"path": "/enforcementPoints/ci/Z", "unknown": "Z", "known": object.keys(_rules)},
		"field of a rule": {"path": "/rules/A/Mode", "unknown": "Mode", "known": {"mode", "enforceFrom", "found", "params"}},
		"parameter": {"path": "/rules/A/params/least", "unknown": "least", "known": object.keys(_rules.A.params)},
		"field of a waiver": {"path": "/waivers/0/tpic", "unknown": "tpic", "known": {
			"id", "rule", "cluster", "topic", "object",
			"owner", "reason", "ticket", "expires",
		}},
		"field of a cluster": {"path": "/clusters/0/rulse", "unknown": "rulse", "known": {"match", "rules", "freshness"}},
		"field of a match": {"path": "/clusters/0/match/nmae", "unknown": "nmae", "known": {"name"}},
		"field of freshness": {"path": "/freshness/x", "unknown": "x", "known": set()},
	}
	document := json.patch(_whole, [{"op": "add", "path": tc.path, "value": {}}])
	problems := settings.problems with input as {"rules": _rules, "settings": document, "complete": true}
	some problem in problems
	[problem.unknown, problem.known] == [tc.unknown, sort(tc.known)]
}

# Bounds and patterns are the same mistake wherever they stand.
test_problems_of_a_layer[note] if {
	some note, tc in {
		"a cluster's bounds": {
			"document": {"clusters": [{"match": {"name": "*"}, "rules": {"A": {"params": {"min": 3, "max": 2}}}}]},
			"problem": {"path": ["clusters", "0", "rules", "A", "params", "max"], "message": "max 2 is below min 3"},
		},
		"a cluster's pattern": {
			"document": {"clusters": [{"match": {"name": "*"}, "rules": {"A": {"params": {"pattern": "("}}}}]},
			"problem": {
				"path": ["clusters", "0", "rules", "A", "params", "pattern"],
				"message": "\"(\" is not a regular expression (RE2)",
			},
		},
		"an enforcement point's bounds": {
			"document": {"enforcementPoints": {"ci": {"A": {"params": {"min": 3, "max": 2}}}}},
			"problem": {"path": ["enforcementPoints", "ci", "A", "params", "max"], "message": "max 2 is below min 3"},
		},
		"an enforcement point's pattern": {
			"document": {"enforcementPoints": {"ci": {"A": {"params": {"pattern": "("}}}}},
			"problem": {
				"path": ["enforcementPoints", "ci", "A", "params", "pattern"],
				"message": "\"(\" is not a regular expression (RE2)",
			},
		},
	}
	{tc.problem} == _problems(tc.document, false)
}

test_problems_hide_none if {
	document := {"rules": {"A": {"mode": "x", "params": {"min": 0}}, "Z": {}}}
	{problem.path | some problem in _problems(document, false)} == {
		["rules"],
		["rules", "A", "mode"],
		["rules", "A", "params", "min"],
	}
}

test_a_waiver_names_what_its_rule_is_about[note] if {
	some note, tc in {
		"a topic": {"rule": "A", "names": {"topic": "a", "cluster": "b"}, "problems": set()},
		"an object": {"rule": "P", "names": {"object": "a/b"}, "problems": set()},
		"nothing": {"rule": "P", "names": {}, "problems": set()},
		"an object of a rule about topics": {"rule": "A", "names": {"object": "a/b"}, "problems": {{
			"path": ["waivers", "0", "object"],
			"message": "rule A is not about placement: name what it is waived for by `cluster` and `topic`",
		}}},
		"an object of a rule that does not say": {"rule": "B", "names": {"object": "a/b"}, "problems": {{
			"path": ["waivers", "0", "object"],
			"message": "rule B is not about placement: name what it is waived for by `cluster` and `topic`",
		}}},
		"a topic of a rule about placement": {"rule": "P", "names": {"topic": "a", "cluster": "b"}, "problems": {
			{
				"path": ["waivers", "0", "topic"],
				"message": "rule P is about placement: name what it is waived for by `object`, namespace/name",
			},
			{
				"path": ["waivers", "0", "cluster"],
				"message": "rule P is about placement: name what it is waived for by `object`, namespace/name",
			},
		}},
	}
	rules := {
		"A": {"params": {}, "operations": ["CreateTopic"]},
		"B": {"params": {}},
		"P": {"params": {}, "operations": ["Admission", "Remediation"]},
	}
	waiver := object.union({"id": "W", "rule": tc.rule, "owner": "o", "reason": "r", "expires": "2027-03-31"}, tc.names)
	found := settings.problems with input as {"rules": rules, "settings": {"waivers": [waiver]}, "complete": false}
	found == tc.problems
}
