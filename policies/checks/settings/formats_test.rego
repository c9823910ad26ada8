package checks.settings_test

import data.checks.settings

_formatted_rules := {"A": {"params": {
	"regex": {"type": "string", "format": "regex"},
	"globs": {"type": "array", "items": {"type": "string", "format": "glob"}},
	"grants": {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string", "format": "glob"}}},
	"names": {"type": "array", "items": {"type": "string"}},
	"day": {"type": "string", "format": "day", "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$"},
	"zone": {"type": "string", "format": "time-zone"},
}}}

_format_problems(document) := result if {
	result := settings.problems with input as {"rules": _formatted_rules, "settings": document, "complete": false}
}

_invalid_pattern(pattern) := concat("", [
	$"invalid pattern {json.marshal(pattern)}: ",
	"expected each { and [ closed, and a \\ before one that is meant as it is",
])

test_formats_of_parameters[note] if {
	some note, tc in {
		"no regular expression": {"params": {"regex": "(a"}, "wrong": {
			["regex"]: "\"(a\" is not a regular expression (RE2)",
		}},
		"globs": {"params": {"globs": ["audit.{eu,us}.*", "a]", `\{a`, "[a-c]", "", "*"]}, "wrong": {}},
		"a brace that is not closed": {"params": {"globs": ["a", "audit.{eu,us.*"]}, "wrong": {
			["globs", "1"]: _invalid_pattern("audit.{eu,us.*"),
		}},
		"several of them": {"params": {"globs": ["{a", "[a", "[]", "a"]}, "wrong": {
			["globs", "0"]: _invalid_pattern("{a"),
			["globs", "1"]: _invalid_pattern("[a"),
			["globs", "2"]: _invalid_pattern("[]"),
		}},
		"fields of an object": {"params": {"grants": [{"host": "*"}, {"principal": "User:{a", "host": "[a-z]"}]}, "wrong": {
			["grants", "1", "principal"]: _invalid_pattern("User:{a"),
		}},
		"what is no pattern": {"params": {"names": ["{a"]}, "wrong": {}},
		"no text": {"params": {"globs": [1]}, "wrong": {["globs", "0"]: "must be a string, not an integer"}},
		"a day": {"params": {"day": "2028-02-29"}, "wrong": {}},
		"none": {"params": {"day": ""}, "wrong": {}},
		"not in the calendar": {"params": {"day": "2027-13-45"}, "wrong": {
			["day"]: "2027-13-45 is not a day of the calendar: expected one such as 2026-12-31",
		}},
		"a time zone": {"params": {"zone": "Europe/Berlin"}, "wrong": {}},
		"universal time": {"params": {"zone": "UTC"}, "wrong": {}},
		"a time zone of nowhere": {"params": {"zone": "Moon/Base"}, "wrong": {
			["zone"]: "unknown time zone \"Moon/Base\": expected one such as Europe/Berlin",
		}},
	}
	layers := {
		"rules": {"A": {"params": tc.params}},
		"clusters": [{"match": {"name": "*"}, "rules": {"A": {"params": tc.params}}}],
		"enforcementPoints": {"ci": {"A": {"params": tc.params}}},
	}
	places := [
		["rules", "A", "params"],
		["clusters", "0", "rules", "A", "params"],
		["enforcementPoints", "ci", "A", "params"],
	]
	found := _format_problems(layers)
	found == {{"path": array.concat(place, path), "message": message} |
		some place in places
		some path, message in tc.wrong
	}
}

test_patterns_of_other_settings if {
	waiver := {"id": "W", "rule": "A", "owner": "o", "reason": "r", "expires": "2027-03-31"}
	found := _format_problems({
		"clusters": [{"match": {"name": "dev-*"}}, {"match": {"name": "prod-{eu"}}],
		"waivers": [object.union(waiver, {"cluster": "{a", "topic": "a[", "ticket": "{T"})],
		"superUsers": ["User:*", "User:{a"],
	})
	found == {
		{"path": ["clusters", "1", "match", "name"], "message": _invalid_pattern("prod-{eu")},
		{"path": ["waivers", "0", "cluster"], "message": _invalid_pattern("{a")},
		{"path": ["waivers", "0", "topic"], "message": _invalid_pattern("a[")},
		{"path": ["superUsers", "1"], "message": _invalid_pattern("User:{a")},
	}
}

# What is no text is the schema's problem, and no pattern's.
test_patterns_that_are_no_texts if {
	found := _format_problems({"clusters": [{"match": {"name": 1}}], "superUsers": [1]})
	found == {
		{"path": ["clusters", "0", "match", "name"], "message": "must be a string, not an integer"},
		{"path": ["superUsers", "0"], "message": "must be a string, not an integer"},
	}
}
