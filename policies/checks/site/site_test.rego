package checks.site_test

import data.checks.site

_problems(source) := problems if problems := site.problems with input as {"modules": {"a.rego": source}}

_foreign(name) := $"a.rego: package {name} is not a site's: use site.rules.NAME, site.placement or site.placement.NAME"

_unused(name, family) := concat("", [
	$"a.rego: nothing evaluates package {name}: ",
	$"use site.{family}.NAME, and another name below site for helpers",
])

_about_error := "a.rego: about: write `about contains \"why\" if …`, which is empty where nothing matches, not missing"

test_which_modules_are_taken[note] if {
	some note, case in {
		"rules of a team": ["package site.rules.acme", set()],
		"placement of all": ["package site.placement", set()],
		"placement of a team": ["package site.placement.payments", set()],
		"helpers": ["package site.lib.text.trim", set()],
		"the whole site": ["package site", set()],
		"older policies": ["package site.legacy.create_topic", set()],
		"what cannot be parsed is the compiler's": ["package", set()],
		"Warden's own": ["package kafka.rules.topic", {_foreign("kafka.rules.topic")}],
		"one with the same beginning": ["package sites.rules.a", {_foreign("sites.rules.a")}],
		"rules of nobody": ["package site.rules", {_unused("site.rules", "rules")}],
		"rules too deep": ["package site.rules.a.b", {_unused("site.rules.a.b", "rules")}],
		"placement too deep": ["package site.placement.a.b", {_unused("site.placement.a.b", "placement")}],
	}
	_problems(case[0]) == case[1]
}

test_deny_is_a_set_of_violations[note] if {
	refused := {"a.rego: site.rules.a.deny is not a set of violations: write `deny contains \"why\" if …`"}
	some note, case in {
		"a set": ["package site.rules.a\ndeny contains \"x\" if input.x", set()],
		"an object": ["package site.rules.a\ndeny[input.x] := \"x\" if input.x", set()],
		"a list": ["package site.rules.a\ndeny := [\"x\" | input.x]", set()],
		"what is known only then": ["package site.rules.a\ndeny := input.x if input.x", set()],
		"a default": ["package site.rules.a\ndefault deny := false", set()],
		"true": ["package site.rules.a\ndeny if input.x", refused],
		"true, or else false": ["package site.rules.a\ndeny if { input.x } else := false", refused],
		"false, or else true": ["package site.rules.a\ndeny := false if { input.x } else := true", refused],
		"a text": ["package site.rules.a\ndeny := \"x\" if input.x", refused],
		"a text with what is known only then": ["package site.rules.a\ndeny := $\"{input.x}\"", refused],
		"a function": ["package site.rules.a\ndeny(x) if x", refused],
		"another rule": ["package site.rules.a\nx if input.x", set()],
		"of no rules": ["package site.lib\ndeny if input.x", set()],
	}
	_problems(case[0]) == case[1]
}

test_about_is_never_missing[note] if {
	some note, case in {
		"a set": ["package site.placement.a\nabout contains \"x\" if input.kind == \"x\"", set()],
		"with a default": ["package site.placement.a\ndefault about := false\nabout if input.kind == \"x\"", set()],
		"without a default": ["package site.placement.a\nabout if input.kind == \"x\"", {_about_error}],
		"of no placement": ["package site.rules.a\nabout if input.kind == \"x\"", set()],
		"the default of another package": [
			"package site.placement.a\nabout if input.kind == \"x\"",
			{_about_error},
		],
	}
	modules := {"a.rego": case[0], "b.rego": "package site.placement.b\ndefault about := false"}
	site.problems == case[1] with input as {"modules": modules}
}

test_a_default_in_another_file_of_the_package if {
	count(site.problems) == 0 with input as {"modules": {
		"a.rego": "package site.placement.a\nabout if input.kind == \"x\"",
		"b.rego": "package site.placement.a\ndefault about := false",
	}}
}
