package kafka.engine_test

import data.kafka.engine
import data.kafka.fixtures_test as fixtures

_name := {"operation": "AuditTopicName", "request": {"topic": "shop.orders", "internal": false}}

_prechecked(fields, over) := prepared if {
	document := fixtures.document(fields)
	prepared := engine.prechecked_input(document) with data.settings.compiled as fixtures.compiled(object.union(
		fixtures.settings,
		over,
	))
}

test_what_rules_see_of_a_name if {
	seen := _prechecked(_name, {})
	object.remove(seen, ["params"]) == object.union(fixtures.document(_name), {
		"operation": "AuditTopic",
		"part": "name",
		"now": time.parse_rfc3339_ns(fixtures.now),
		"topic": "shop.orders",
		"requested": {"internal": false},
	})
	seen.params["KFK-NAM-003"] == {"maxLength": 20}
}

# What the engine itself refuses is nothing that only a rule can have something against.
test_what_is_no_matter_of_rules[note] if {
	old := {"freshness": {"default": {"maxAgeSeconds": 1, "then": "deny"}}}
	some note, tc in {
		"a new topic": {"fields": {}, "over": {}, "operations": ["CreateTopic"]},
		"an audit": {
			"fields": {"operation": "AuditTopic", "request": {"topic": "shop.orders"}},
			"over": {},
			"operations": ["AuditTopic"],
		},
		"a field of another type": {"fields": {"request": {"topic": 1}}, "over": {}, "operations": []},
		"what Kafka refuses": {"fields": {"request": {"topic": "a b"}}, "over": {}, "operations": []},
		"a state that is too old": {
			"fields": {"operation": "AuditTopic", "request": {"topic": "shop.orders"}},
			"over": old,
			"operations": [],
		},
	}
	tc.operations == [seen.operation | seen := _prechecked(tc.fields, tc.over)]
}
