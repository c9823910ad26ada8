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

# The catalogue of a cluster's own release decides: of topics, brokers and groups.
test_the_release_decides[note] if {
	some note, tc in {
		"a topic's key": {
			"operation": "CreateTopic",
			"request": {"topic": "a.b.c", "configs": {"max.decompressed.message.bytes": "1"}},
			"refused": {"3.9": true, "4.3": true, "4.4": false},
			"said": "Unknown topic config name: max.decompressed.message.bytes",
		},
		"a broker's bound": {
			"operation": "AlterBroker",
			"request": {"broker": "1", "configs": _set("log.segment.bytes", "14")},
			"refused": {"3.9": false, "4.1": true, "4.4": true},
			"said": "Invalid value 14 for configuration log.segment.bytes: Value must be at least 1048576",
		},
		"configs of groups": {
			"operation": "AlterConfig",
			"request": {
				"resource": {"type": "group", "name": "g"},
				"configs": _set("consumer.session.timeout.ms", "x"),
			},
			"refused": {"3.9": true, "4.0": false},
			"said": "Unknown resource type 32",
		},
	}
	every release, refused in tc.refused {
		document := {
			"operation": tc.operation, "request": tc.request, "cluster": "prod-eu", "now": fixtures.now,
			"clusterState": {
				"brokers": {"1": {"configs": {}}},
				"catalog": {"release": release},
				"resourceConfigs": {"group": {}, "client-metrics": {}},
				"topics": {},
			},
		}
		refused == _is_said(tc.said, fixtures.decide(document, {}).errors)
	}
}

default _is_said(_, _) := false

_is_said(sentence, errors) if sentence in errors

_set(name, value) := {"mode": "incremental", "ops": [{"name": name, "op": "SET", "value": value}]}
