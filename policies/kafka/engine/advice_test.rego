package kafka.engine_test

import data.kafka.fixtures_test as fixtures

_advising(advice, fields) := fixtures.decide(document, {"advice": advice}) if {
	document := fixtures.document(object.union({"request": {"topic": "shop.baskets", "replicationFactor": 1}}, fields))
}

test_advice[note] if {
	labelled := {"request": {"topic": "shop.baskets", "replicationFactor": 1, "labels": {"owner": "shop"}}}
	stored := {"operation": "AlterTopic", "request": {"topic": "shop.orders", "numPartitions": 5000}, "clusterState": {
		"topics": {"shop.orders": {"labels": {"owner": "shop"}}},
	}}
	some note, tc in {
		"nothing is set": {"advice": {}, "fields": {}, "end": ""},
		"for all": {"advice": {"all": "ask #kafka"}, "fields": {}, "end": "; ask #kafka"},
		"for a rule": {"advice": {"rules": {"KFK-DUR-001": "see w/1"}}, "fields": {}, "end": "; see w/1"},
		"for another rule": {"advice": {"rules": {"KFK-DEL-001": "see w/1"}}, "fields": {}, "end": ""},
		"for an owner": {"advice": {"owners": {"shop": "ask shop"}}, "fields": labelled, "end": "; ask shop"},
		"for the owner of what is there": {"advice": {"owners": {"shop": "ask shop"}}, "fields": stored, "end": "; ask shop"},
		"for another owner": {"advice": {"owners": {"pay": "ask pay"}}, "fields": labelled, "end": ""},
		"for all of them": {
			"advice": {"rules": {"KFK-DUR-001": "see w/1"}, "owners": {"shop": "ask shop"}, "all": "ask #kafka"},
			"fields": labelled,
			"end": "; see w/1; ask shop; ask #kafka",
		},
		"longer than a message of Kafka's": {
			"advice": {"all": concat("", ["x" | some _ in numbers.range(1, 8000)])},
			"fields": {},
			"end": "",
		},
	}
	decision := _advising(tc.advice, tc.fields)
	decision.error.message == concat("", [concat("; ", decision.errors), tc.end])
}

test_advice_where_nothing_denies if {
	fields := {"request": {"topic": "shop.baskets", "numPartitions": 3, "replicationFactor": 3}}
	_advising({"all": "ask #kafka"}, fields).error == null
}
