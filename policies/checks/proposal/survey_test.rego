package checks.proposal_test

import data.checks.proposal

_rules := {
	"A": {"message": "a.b {actual} is {direction} of {limit}", "params": {
		"min": {"type": "integer", "direction": "least", "minimum": 1},
		"max": {"type": "number", "direction": "greatest", "minimum": 1},
		"label": {"type": "string"},
	}},
	"B": {"message": "{actual}", "params": {"max": {"type": "integer", "direction": "greatest"}}},
	"C": {
		"messages": {"low": "{actual} is low", "other": "{actual} is inherited"},
		"params": {"min": {"type": "number", "direction": "least", "maximum": 1}},
	},
	"D": {"message": "bad", "params": {}},
}

_settings := {
	"rules": {
		"A": {"mode": "deny", "enforceFrom": "2027-01-01", "params": {"min": 2, "max": 9, "label": "x"}},
		"B": {"mode": "disabled", "params": {"max": 7}},
		"C": {"mode": "dryrun", "params": {"min": 0.5}},
		"D": {"mode": "deny", "params": {}},
	},
	"clusters": [{"match": {"name": "*"}}],
	"enforcementPoints": {"scan": {}},
	"waivers": [{"id": "W"}],
	"freshness": {},
}

_with_rules(rules) := {
	"rules": rules,
	"clusters": [],
	"enforcementPoints": {},
	"waivers": [],
	"freshness": {},
}

_surveyed(clusters) := result if {
	document := {"rules": _rules, "settings": _settings, "clusters": clusters}
	result := proposal.survey with input as document
}

test_survey if {
	disabled := {"mode": "disabled", "params": {"max": 7}}
	_surveyed(["prod-eu", "prod-us", "lab", "a.b-c", "-x"]) == {
		"settings": {
			"all": _with_rules({
				"A": {"mode": "warn", "params": {"min": 2, "max": 9, "label": "x"}},
				"B": disabled,
				"C": {"mode": "warn", "params": {"min": 0.5}},
				"D": {"mode": "warn", "params": {}},
			}),
			"greatest": _with_rules({
				"A": {"mode": "warn", "params": {"min": 1, "max": 1, "label": "x"}},
				"B": {"mode": "disabled", "params": {"max": 0}},
				"C": {"mode": "warn", "params": {"min": 0}},
				"D": {"mode": "disabled", "params": {}},
			}),
			"least": _with_rules({
				"A": {
					"mode": "warn",
					"params": {"min": 9223372036854775807, "max": 9223372036854775807, "label": "x"},
				},
				"B": {"mode": "disabled", "params": {"max": 9223372036854775807}},
				"C": {"mode": "warn", "params": {"min": 1}},
				"D": {"mode": "disabled", "params": {}},
			}),
		},
		"classes": {"prod-eu": "prod-*", "prod-us": "prod-*", "lab": "lab", "a.b-c": "a.*", "-x": "-x"},
		"bounds": [
			{"rule": "A", "param": "max", "direction": "greatest", "pattern": `^a\.b (-?[0-9.]+)`},
			{"rule": "A", "param": "min", "direction": "least", "pattern": `^a\.b (-?[0-9.]+)`},
			{"rule": "C", "param": "min", "direction": "least", "pattern": "^(-?[0-9.]+)"},
		],
		"shares": [95, 99, 100],
		"outliers": 50,
	}
}
