package kafka.rules_test

import data.kafka.rules

_violation := {"rule": "SITE-1", "severity": "low", "message": "m", "fix": "f", "path": ["topic"], "patch": []}

_blank := {
	"rule": "SITE",
	"severity": "high",
	"message": "a rule of this site is broken",
	"fix": "",
	"path": [],
	"patch": [],
}

# A site writes its rules as it likes: whatever it denies stays denied.
test_site_rules[note] if {
	some note, tc in {
		"none": {"site": {}, "violations": set()},
		"no denial": {"site": {"a": {"deny": set()}}, "violations": set()},
		"whole": {"site": {"a": {"deny": {_violation}}}, "violations": {_violation}},
		"of two packages": {
			"site": {"a": {"deny": {_violation}}, "b": {"deny": {object.union(_violation, {"rule": "SITE-2"})}}},
			"violations": {_violation, object.union(_violation, {"rule": "SITE-2"})},
		},
		"without its path": {
			"site": {"a": {"deny": {object.remove(_violation, ["path"])}}},
			"violations": {object.union(_violation, {"path": []})},
		},
		"empty": {"site": {"a": {"deny": {{}}}}, "violations": {_blank}},
		"a bare message": {"site": {"a": {"deny": {"no"}}}, "violations": {object.union(_blank, {"message": "\"no\""})}},
		"something else": {"site": {"a": {"deny": [null]}}, "violations": {object.union(_blank, {"message": "null"})}},
		"another name than deny": {"site": {"a": {"warn": {_violation}}}, "violations": set()},
	}
	prepared := {"operation": "CreateTopic", "params": {}}
	violations := rules.violations with input as prepared with data.site.rules as tc.site
	tc.violations == {object.remove(violation, ["order"]) | some violation in violations}
}
