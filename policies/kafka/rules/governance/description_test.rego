package kafka.rules.governance_test

import data.kafka.rules.governance as family

_described := {"labelKey": "about", "min": 3, "max": 5}

_description_violation(actual, direction, limit) := {
	"rule": "KFK-GOV-004",
	"severity": "info",
	"message": sprintf("the description has %d characters, %s of %d", [actual, direction, limit]),
	"fix": "say in the label about what the topic carries, in 3 to 5 characters",
	"path": ["labels", "about"],
	"patch": [],
}

test_description[note] if {
	some note, tc in {
		"shortest": {"labels": {"about": "abc"}, "deny": set()},
		"longest": {"labels": {"about": "abcde"}, "deny": set()},
		"one too short": {"labels": {"about": "ab"}, "deny": {_description_violation(2, "below the minimum", 3)}},
		"one too long": {"labels": {"about": "abcdef"}, "deny": {_description_violation(6, "above the maximum", 5)}},
		"spaces around it do not count": {
			"labels": {"about": " ab "},
			"deny": {_description_violation(2, "below the minimum", 3)},
		},
		"characters, not bytes": {"labels": {"about": "äöüßé"}, "deny": set()},
		"missing": {"labels": {}, "deny": {_description_violation(0, "below the minimum", 3)}},
	}
	deny := family.deny with input as _labelled("CreateTopic", "KFK-GOV-004", _described, tc.labels)
	tc.deny == deny
}

test_description_of_internal_topics if {
	prepared := object.union(_labelled("AuditTopic", "KFK-GOV-004", _described, {}), {"requested": {"internal": true}})
	deny := family.deny with input as prepared
	deny == set()
}
