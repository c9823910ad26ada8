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

# And it decides what of a stored topic is no valid value.
test_the_release_decides_audits[note] if {
	some note, tc in {
		"whole": {"operation": "AuditTopic", "request": {"topic": "shop.orders"}},
		"by parts": {"operation": "AuditTopicConfigs", "request": {
			"topic": "shop.orders", "labels": {}, "internal": false, "numPartitions": 2, "replicationFactor": 3,
			"configs": {"segment.bytes": "14"},
		}},
	}
	every release, rules in {"4.0": set(), "4.1": {"KFK-STO-001"}, "4.4": {"KFK-STO-001"}} {
		document := {
			"operation": tc.operation, "request": tc.request, "cluster": "prod-eu", "now": fixtures.now,
			"clusterState": object.union(fixtures.state, {
				"catalog": {"release": release},
				"topics": {"shop.orders": object.union(fixtures.topic, {"configs": {"segment.bytes": "14"}})},
			}),
		}
		decision := fixtures.decide(document, {"rules": {"KFK-STO-001": {"mode": "deny", "params": {}}}})
		rules == {violation.rule | some violation in decision.violations}
	}
}

default _is_said(_, _) := false

_is_said(sentence, errors) if sentence in errors

_set(name, value) := {"mode": "incremental", "ops": [{"name": name, "op": "SET", "value": value}]}

_client_configs := {
	"meta": {"observedAt": "2026-11-21T09:59:58Z"},
	"clientConfigs": {"alice": {"": {"acks": "all"}}},
	"acls": [],
}

# A field of another type is named, also where nothing reads it.
test_a_field_that_nothing_reads[note] if {
	some note, tc in {
		"a creation": {"charged": 1, "fields": {}},
		"a change with what was before": {"charged": 1, "fields": {
			"operation": "AlterTopic",
			"request": {"topic": "shop.orders", "configs": {
				"mode": "resolved",
				"before": {"retention.ms": "1"},
				"after": {"retention.ms": "2"},
			}},
		}},
		"a question about client configs": {"charged": 0, "fields": {
			"operation": "DescribeClientConfigs",
			"request": {"components": [{"entityType": "user", "matchType": "exact", "match": "alice"}]},
			"clusterState": _client_configs,
		}},
	}
	document := object.union(object.remove(fixtures.document({}), object.keys(tc.fields)), tc.fields)
	not fixtures.decide(document, {}).invalidInput
	tc.charged == count([amounts | amounts := _charges(document)])
	spoiled := object.union(document, {"api": {"key": 1}})
	[sentence] := fixtures.decide(spoiled, {}).errors
	startswith(sentence, "api")
	not _charges(spoiled)
	not _prechecked(spoiled, {})
}

# So are clusters that are none, which are looked at before all else.
test_clusters_of_another_type if {
	[sentence] := fixtures.decide(fixtures.document({"clusters": "x"}), {}).errors
	startswith(sentence, "clusters: ")
}

_charges(document) := amounts if {
	amounts := engine.charges(document, document) with data.settings.compiled as fixtures.compiled(fixtures.settings)
}

# Only of topics there is a state afterwards.
test_state_after[note] if {
	some note, tc in {
		"a creation": {"fields": {}, "states": 1},
		"a deletion": {"fields": {"operation": "DeleteTopic", "request": {"topic": "shop.orders"}}, "states": 1},
		"an audit": {"fields": {"operation": "AuditTopic", "request": {"topic": "shop.orders"}}, "states": 0},
		"a quota": {
			"fields": {"operation": "AlterQuota", "request": {"entity": {"user": "alice"}, "ops": []}},
			"states": 0,
		},
	}
	document := object.union(object.remove(fixtures.document({}), object.keys(tc.fields)), tc.fields)
	states := [state |
		state := engine.state_after(document) with data.settings.compiled as fixtures.compiled(fixtures.settings)
	]
	tc.states == count(states)
}
