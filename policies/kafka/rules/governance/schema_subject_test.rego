package kafka.rules.governance_test

import data.kafka.rules.governance as family

_subject_params(strategy) := {"labelKey": "subject", "strategy": strategy, "exemptPrefixes": ["_", "tmp."]}

_form_by_strategy := {
	"TopicNameStrategy": "<topic>-value",
	"RecordNameStrategy": "the full name of the record",
	"TopicRecordNameStrategy": "<topic>-<full name of the record>",
}

_subject_violation(problem, strategy) := {
	"rule": "KFK-GOV-006",
	"severity": "medium",
	"message": problem,
	"fix": sprintf("register the schema and set the label subject to its subject, %s", [_form_by_strategy[strategy]]),
	"path": ["labels", "subject"],
	"patch": [],
}

_other(subject, strategy) := sprintf("schema subject \"%s\" is none of %s's for this topic", [subject, strategy])

test_subject[note] if {
	some note, tc in {
		"by topic": {"strategy": "TopicNameStrategy", "subject": "shop.orders-value", "ok": true},
		"by topic, of the key": {"strategy": "TopicNameStrategy", "subject": "shop.orders-key", "ok": false},
		"by topic, of another": {"strategy": "TopicNameStrategy", "subject": "shop.order-value", "ok": false},
		"by record": {"strategy": "RecordNameStrategy", "subject": "com.example.Order", "ok": true},
		"by topic and record": {
			"strategy": "TopicRecordNameStrategy",
			"subject": "shop.orders-com.example.Order",
			"ok": true,
		},
		"by topic and no record": {"strategy": "TopicRecordNameStrategy", "subject": "shop.orders-", "ok": false},
		"by another topic and record": {"strategy": "TopicRecordNameStrategy", "subject": "shop.order-x", "ok": false},
	}
	deny := family.deny with input as _labelled(
		"CreateTopic",
		"KFK-GOV-006",
		_subject_params(tc.strategy),
		{"subject": tc.subject},
	)
	deny == {_subject_violation(_other(tc.subject, tc.strategy), tc.strategy) | not tc.ok}
}

test_subject_is_missing[strategy] if {
	some strategy, _ in _form_by_strategy
	every labels in [{}, {"subject": " "}] {
		deny := family.deny with input as _labelled("CreateTopic", "KFK-GOV-006", _subject_params(strategy), labels)
		deny == {_subject_violation("the topic has no label subject", strategy)}
	}
}

test_subject_of_exempt_topics[name] if {
	some name, n in {"_schemas": 0, "tmp.x": 0, "tmpx": 1}
	prepared := object.union(
		_labelled("CreateTopic", "KFK-GOV-006", _subject_params("TopicNameStrategy"), {}),
		{"topic": name},
	)
	deny := family.deny with input as prepared
	paths := {0: [], 1: [["labels", "subject"]]}
	paths[n] == [violation.path | some violation in deny]
}

test_subject_of_internal_topics if {
	prepared := object.union(
		_labelled("AuditTopic", "KFK-GOV-006", _subject_params("TopicNameStrategy"), {}),
		{"requested": {"internal": true}},
	)
	deny := family.deny with input as prepared
	deny == set()
}
