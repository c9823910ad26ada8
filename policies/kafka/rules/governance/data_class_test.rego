package kafka.rules.governance_test

import data.kafka.rules.governance as family

_classes := {"labelKey": "class", "allowed": ["public", "internal"]}

_class_violation(problem) := {
	"rule": "KFK-GOV-002",
	"severity": "medium",
	"message": problem,
	"fix": "set the label class to one of public, internal",
	"path": ["labels", "class"],
	"patch": [],
}

test_data_class[note] if {
	some note, tc in {
		"first": {"labels": {"class": "public"}, "problems": set()},
		"last": {"labels": {"class": "internal"}, "problems": set()},
		"not allowed": {"labels": {"class": "secret"}, "problems": {"data class \"secret\" is not allowed here"}},
		"in capitals": {"labels": {"class": "Public"}, "problems": {"data class \"Public\" is not allowed here"}},
		"missing": {"labels": {}, "problems": {"the topic has no label class"}},
		"blank": {"labels": {"class": "  "}, "problems": {"the topic has no label class"}},
	}
	deny := family.deny with input as _labelled("CreateTopic", "KFK-GOV-002", _classes, tc.labels)
	deny == {_class_violation(problem) | some problem in tc.problems}
}

test_data_class_of_internal_topics if {
	prepared := object.union(_labelled("AuditTopic", "KFK-GOV-002", _classes, {}), {"requested": {"internal": true}})
	deny := family.deny with input as prepared
	deny == set()
}
