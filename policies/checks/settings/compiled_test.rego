package checks.settings_test

import data.checks.settings

_compiled(document) := result if {
	result := settings.compiled with input as {"settings": document}
}

test_compiled_whole if {
	document := {
		"rules": {
			"A": {"mode": "deny", "enforceFrom": "2027-01-01", "params": {"min": 1}},
			"B": {"mode": "disabled", "params": {"min": 2, "max": 9}},
			"C": {"mode": "warn", "params": {}},
		},
		"clusters": [
			{"match": {"name": "dev-*"}, "rules": {"A": {"mode": "warn"}}},
			{"match": {"name": "*"}, "rules": {"B": {"mode": "deny", "params": {"max": 5}}}},
		],
		"points": {"ci": {"A": {"params": {"min": 0}}, "B": {"mode": "warn"}}},
		"waivers": [{"id": "W-1", "rule": "A"}, {"id": "W-2", "rule": "C"}, {"id": "W-3", "rule": "A"}],
		"superUsers": ["User:admin"],
		"policies": {"topic.management.policy": "kafka.rules"},
	}
	_compiled(document) == {
		"base": {
			"params": {"A": {"min": 1}, "C": {}},
			"modes": {
				"A": {"mode": "deny", "enforceFrom": "2027-01-01"},
				"B": {"mode": "disabled"},
				"C": {"mode": "warn"},
			},
		},
		"clusters": [
			{
				"match": {"name": "dev-*"},
				"layer": {"params": {"A": {}}, "modes": {"A": {"mode": "warn"}}},
			},
			{
				"match": {"name": "*"},
				"layer": {"params": {"B": {"min": 2, "max": 5}}, "modes": {"B": {"mode": "deny"}}},
			},
		],
		"points": {"ci": {
			"params": {"A": {"min": 0}, "B": {"min": 2, "max": 9}},
			"modes": {"B": {"mode": "warn"}},
		}},
		"waivers": {
			"A": [{"id": "W-1", "rule": "A"}, {"id": "W-3", "rule": "A"}],
			"C": [{"id": "W-2", "rule": "C"}],
		},
		"superUsers": ["User:admin"],
		"policies": {"topic.management.policy": "kafka.rules"},
	}
}

test_compiled_of_nothing_over_the_base if {
	_compiled({"rules": {}, "clusters": [], "points": {}, "waivers": []}) == {
		"base": {"params": {}, "modes": {}},
		"clusters": [],
		"points": {},
		"waivers": {},
		"superUsers": [],
		"policies": {},
	}
}
