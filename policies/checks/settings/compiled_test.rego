package checks.settings_test

import data.checks.settings

_compiled(document) := result if {
	result := settings.compiled with input as {"settings": document}
}

# What a part of an audit is about comes with it, whatever the settings say.
_parts[part] := {"then": "ignore"} if some part in ["AuditTopicConfigs", "AuditTopicLabels", "AuditTopicName"]

test_compiled_whole if {
	document := {
		"rules": {
			"A": {"mode": "deny", "enforceFrom": "2027-01-01", "params": {"min": 1}},
			"B": {"mode": "disabled", "params": {"min": 2, "max": 9}},
			"C": {"mode": "warn", "params": {}},
			"D": {"mode": "disabled", "params": {"min": 3}},
		},
		"clusters": [
			{"match": {"name": "dev-*"}, "rules": {"A": {"mode": "warn"}}},
			{"match": {"name": "*"}, "rules": {"B": {"mode": "deny", "params": {"max": 5}}}},
			{"match": {"name": "lab"}, "freshness": {"default": {"maxAgeSeconds": 60}}},
		],
		"enforcementPoints": {"ci": {
			"A": {"params": {"min": 0}},
			"B": {"mode": "warn"},
			"freshness": {"operations": {"AuditTopic": {"then": "warn"}}},
		}},
		"freshness": {
			"default": {"maxAgeSeconds": 300, "maxAheadSeconds": 30, "then": "warn"},
			"operations": {"DeleteTopic": {"then": "deny"}},
		},
		"waivers": [{"id": "W-1", "rule": "A"}, {"id": "W-2", "rule": "C"}, {"id": "W-3", "rule": "A"}],
		"superUsers": ["User:admin"],
		"advice": {"all": "ask #kafka"},
		"policies": {"topic.management.policy": "kafka.rules"},
		"ecosystem": {"connect": {}},
	}
	_compiled(document) == {
		"base": {
			"params": {"A": {"min": 1}, "C": {}},
			"disabledParams": {"B": {"min": 2, "max": 9}},
			"modes": {
				"A": {"mode": "deny", "enforceFrom": "2027-01-01"},
				"B": {"mode": "disabled"},
				"C": {"mode": "warn"},
				"D": {"mode": "disabled"},
			},
			"freshness": {
				"default": {"maxAgeSeconds": 300, "maxAheadSeconds": 30, "then": "warn", "whenUnknown": "deny"},
				"operations": object.union(_parts, {"DeleteTopic": {"then": "deny"}}),
			},
		},
		"clusters": [
			{
				"match": {"name": "dev-*"},
				"layer": {"params": {}, "modes": {"A": {"mode": "warn"}}, "freshness": {}},
			},
			{
				"match": {"name": "*"},
				"layer": {"params": {"B": {"max": 5}}, "modes": {"B": {"mode": "deny"}}, "freshness": {}},
			},
			{
				"match": {"name": "lab"},
				"layer": {"params": {}, "modes": {}, "freshness": {"default": {"maxAgeSeconds": 60}}},
			},
		],
		"enforcementPoints": {"ci": {
			"params": {"A": {"min": 0}, "B": {}},
			"modes": {"B": {"mode": "warn"}},
			"freshness": {"operations": {"AuditTopic": {"then": "warn"}}},
		}},
		"waivers": {
			"A": [{"id": "W-1", "rule": "A"}, {"id": "W-3", "rule": "A"}],
			"C": [{"id": "W-2", "rule": "C"}],
		},
		"fresh": {"maxAgeSeconds": 60, "maxAheadSeconds": 30},
		"callers": {"tokens": {}, "issuers": {}},
		"superUsers": ["User:admin"],
		"advice": {"all": "ask #kafka"},
		"policies": {"topic.management.policy": "kafka.rules"},
		"ecosystem": {"connect": {}},
	}
}

test_compiled_of_nothing_over_the_base if {
	_compiled({"rules": {}, "clusters": [], "enforcementPoints": {}, "waivers": []}) == {
		"base": {
			"params": {},
			"disabledParams": {},
			"modes": {},
			"freshness": {
				"default": {"maxAgeSeconds": 0, "maxAheadSeconds": 0, "then": "ignore", "whenUnknown": "deny"},
				"operations": _parts,
			},
		},
		"clusters": [],
		"enforcementPoints": {},
		"waivers": {},
		"fresh": {"maxAgeSeconds": 0, "maxAheadSeconds": 0},
		"callers": {"tokens": {}, "issuers": {}},
		"superUsers": [],
		"advice": {},
		"policies": {},
		"ecosystem": {},
	}
}
