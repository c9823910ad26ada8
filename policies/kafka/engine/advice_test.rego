package kafka.engine_test

import data.kafka.fixtures_test as fixtures

_advising(advice, fields) := fixtures.decide(document, {"advice": advice}) if {
	document := fixtures.document(object.union({"request": {"topic": "shop.baskets", "replicationFactor": 1}}, fields))
}

test_advice[note] if {
	labelled := {"request": {"topic": "shop.baskets", "replicationFactor": 1, "labels": {"owner": "shop"}}}
	stored := {"operation": "AlterTopic", "request": {"topic": "shop.orders", "numPartitions": 5000}, "clusterState": {
		"topics": {"shop.orders": {"labels": {"owner": "shop "}}},
	}}
	some note, tc in {
		"nothing is set": {"advice": {}, "fields": {}, "end": ""},
		"for all": {"advice": {"all": "ask #kafka"}, "fields": {}, "end": "; ask #kafka"},
		"for a rule": {"advice": {"rules": {"KFK-DUR-001": "see w/1"}}, "fields": {}, "end": "; see w/1"},
		"for another rule": {"advice": {"rules": {"KFK-DEL-001": "see w/1"}}, "fields": {}, "end": ""},
		"for an owner": {"advice": {"owners": {"shop": "ask shop"}}, "fields": labelled, "end": "; ask shop"},
		"for an owner with blanks": {
			"advice": {"owners": {"shop": "ask shop"}},
			"fields": {"request": {"topic": "shop.baskets", "replicationFactor": 1, "labels": {"owner": " shop"}}},
			"end": "; ask shop",
		},
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

# A message may have 8000 characters.
test_advice_that_just_fits[length] if {
	plain := _advising({}, {}).error.message
	some length, is_there in {8000: true, 8001: false}
	advice := concat("", ["x" | some _ in numbers.range(1, (length - count(plain)) - 2)])
	is_there == endswith(_advising({"all": advice}, {}).error.message, concat("; ", ["", advice]))
}

# Of a rule that only warns the client has no error to read.
test_advice_of_a_rule_that_warns if {
	fields := {"request": {"topic": "shop.baskets", "numPartitions": 101, "replicationFactor": 1}}
	settings := {
		"advice": {"rules": {"KFK-SIZ-001": "see w/1", "KFK-DUR-001": "see w/2"}},
		"rules": {"KFK-SIZ-001": {"mode": "warn", "params": {"min": 1, "max": 100}}},
	}
	decision := fixtures.decide(fixtures.document(fields), settings)
	decision.error.message == "KFK-DUR-001: replication factor 1 is below the minimum of 3; see w/2"
}

test_advice_where_nothing_denies if {
	fields := {"request": {"topic": "shop.baskets", "numPartitions": 3, "replicationFactor": 3}}
	_advising({"all": "ask #kafka"}, fields).error == null
}
