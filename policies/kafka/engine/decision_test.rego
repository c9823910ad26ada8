package kafka.engine_test

import data.kafka.fixtures_test as fixtures

test_what_kafka_refuses_comes_with_its_own_code[note] if {
	some note, tc in {
		"exists": {
			"fields": {"request": {"topic": "shop.orders"}},
			"error": {"code": 36, "name": "TOPIC_ALREADY_EXISTS", "message": "Topic 'shop.orders' already exists."},
		},
		"unknown": {
			"fields": {"operation": "AuditTopic"},
			"error": {
				"code": 3,
				"name": "UNKNOWN_TOPIC_OR_PARTITION",
				"message": "Topic 'shop.baskets' does not exist in cluster 'prod-eu'.",
			},
		},
		"partitions": {
			"fields": {"operation": "AlterTopic", "request": {"topic": "shop.orders", "numPartitions": 2}},
			"error": {"code": 37, "name": "INVALID_PARTITIONS", "message": "Topic already has 2 partition(s)."},
		},
		"config": {
			"fields": {"request": {"configs": {"segment.ms": "0"}}},
			"error": {
				"code": 40,
				"name": "INVALID_CONFIG",
				"message": "Invalid value 0 for configuration segment.ms: Value must be at least 1",
			},
		},
	}
	expected := object.union(fixtures.allowed, {"allowed": false, "errors": [tc.error.message], "error": tc.error})
	expected == fixtures.decide(fixtures.document(tc.fields), {})
}

# None hides another; the code is Kafka's, since no policy could have allowed it.
test_refusals_and_denials_together if {
	exists := "Topic 'shop.orders' already exists."
	factor := "KFK-DUR-001: replication factor 1 is below the minimum of 3"
	sizing := "KFK-SIZ-001: 101 partitions are above the maximum of 100"
	request := {"topic": "shop.orders", "replicationFactor": 1, "numPartitions": 101}
	decision := fixtures.decide(fixtures.document({"request": request}), {})
	object.filter(decision, ["allowed", "errors", "error"]) == {
		"allowed": false,
		"errors": [factor, sizing, exists],
		"error": {
			"code": 36,
			"name": "TOPIC_ALREADY_EXISTS",
			"message": concat("; ", [factor, sizing, exists]),
		},
	}
	["KFK-DUR-001", "KFK-SIZ-001"] == [violation.rule | some violation in decision.violations]
}

# A rule that says what Kafka says has its violation, with the fix; the error is there once, as Kafka's.
test_what_kafka_refuses_in_the_same_words_is_there_once[mode] if {
	some mode in ["deny", "warn"]
	refusal := "Invalid value foo for configuration cleanup.policy: String must be one of: compact, delete"
	document := fixtures.document({"request": {"configs": {"cleanup.policy": "foo"}}})
	decision := fixtures.decide(document, {"rules": {"KFK-LST-004": {"mode": mode, "params": {}}}})
	object.remove(decision, ["violations"]) == object.remove(
		object.union(fixtures.allowed, {
			"allowed": false,
			"errors": [refusal],
			"error": {"code": 40, "name": "INVALID_CONFIG", "message": refusal},
		}),
		["violations"],
	)
	[[violation.rule, violation.effect, violation.fix] | some violation in decision.violations] == [[
		"KFK-LST-004",
		mode,
		"set cleanup.policy to values that are valid: [compact, delete]",
	]]
}

# Where nothing is changed Kafka refuses nothing, and the rule speaks.
test_what_is_stored_is_the_rule_s_to_tell if {
	broken := object.union(fixtures.topic, {"configs": {"cleanup.policy": "foo"}})
	document := fixtures.document({
		"operation": "AuditTopic",
		"request": {"topic": "shop.orders"},
		"clusterState": object.union(fixtures.state, {"topics": {"shop.orders": broken}}),
	})
	decision := fixtures.decide(document, {"rules": {"KFK-LST-004": {"mode": "deny", "params": {}}}})
	decision.errors == [
		"KFK-LST-004: Invalid value foo for configuration cleanup.policy: String must be one of: compact, delete",
	]
}

# A value in a spelling that JSON lacks is compared as the number it is.
test_numbers_in_java_s_spelling[text] if {
	some text, errors in {
		"007": ["KFK-RET-001: retention.ms 7 is below the minimum of 1000"],
		"+7": ["KFK-RET-001: retention.ms 7 is below the minimum of 1000"],
		"0001000": [],
		"-01": ["KFK-RET-001: retention.ms -1 is above the maximum of 604800000"],
	}
	decision := fixtures.decide(fixtures.document({"request": {"configs": {"retention.ms": text}}}), {})
	errors == decision.errors
}

test_an_override_removed_is_compared_by_what_then_holds[mode] if {
	some mode, change in {
		"incremental": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "DELETE"}]},
		"full": {"mode": "full", "entries": {}},
		"resolved": {"mode": "resolved", "before": {"retention.ms": "5000"}, "after": {}},
	}
	over := {"rules": {"KFK-RET-001": {"params": {"max": 5000}}}}
	request := {"topic": "shop.orders", "configs": change}
	decision := fixtures.decide(fixtures.document({"operation": "AlterTopic", "request": request}), over)
	decision.errors == ["KFK-RET-001: retention.ms 604800000 is above the maximum of 5000"]
}

_site := {"rule": "SITE-1", "severity": "low", "message": "not on Fridays", "fix": "wait", "path": [], "patch": []}

test_site_rules[note] if {
	some note, tc in {
		"deny": {"found": {_site}, "over": {}, "errors": ["SITE-1: not on Fridays"], "warnings": []},
		"a bare message denies": {"found": {"no"}, "over": {}, "errors": ["SITE: \"no\""], "warnings": []},
		"beside ours": {
			"found": {_site},
			"over": {"rules": {"KFK-SIZ-001": {"params": {"max": 1}}}},
			"errors": ["KFK-SIZ-001: 4 partitions are above the maximum of 1", "SITE-1: not on Fridays"],
			"warnings": [],
		},
		"none": {"found": set(), "over": {}, "errors": [], "warnings": []},
	}
	decision := fixtures.decide(fixtures.document({}), tc.over) with data.site.rules.friday.deny as tc.found
	[tc.errors, tc.warnings] == [decision.errors, decision.warnings]
}

# Whatever a site gives for a field, nothing is allowed that has a violation which denies.
test_fields_of_a_site_s_violations[note] if {
	some field in ["cause", "fix", "message", "order", "patch", "path", "rule", "severity", "waiver"]
	some value in [null, true, false, 0, 1.5, "", "x", [], [1], {}, {"a": 1}, {1}]
	note := json.marshal({field: value})
	found := {object.union(object.remove(_site, [field]), {field: value})}
	decision := fixtures.decide(fixtures.document({}), {}) with data.site.rules.friday.deny as found
	[violation] := decision.violations
	[false, "deny"] == [decision.allowed, violation.effect]
	every name in ["fix", "message", "rule", "severity"] { is_string(violation[name]) }
	every name in ["patch", "path"] { is_array(violation[name]) }
}

test_a_deny_that_holds_no_violations[note] if {
	denied := ["SITE: site.rules.friday.deny is not a set of violations"]
	some note, tc in {
		"deny if": {"deny": true, "errors": denied},
		"a text": {"deny": "no", "errors": denied},
		"a number": {"deny": 1, "errors": denied},
		"null": {"deny": null, "errors": denied},
		"default deny := false": {"deny": false, "errors": []},
		"a list": {"deny": ["no"], "errors": ["SITE: \"no\""]},
		"an object": {"deny": {"a": "no"}, "errors": ["SITE: \"no\""]},
		"none": {"deny": [], "errors": []},
	}
	decision := fixtures.decide(fixtures.document({}), {}) with data.site.rules.friday.deny as tc.deny
	[tc.errors, tc.errors == []] == [decision.errors, decision.allowed]
}

test_state_age[note] if {
	some note, tc in {
		"observed before": {"meta": {"observedAt": "2026-11-21T09:00:00Z"}, "age": 3600},
		"observed after": {"meta": {"observedAt": "2026-11-21T10:00:02Z"}, "age": -2},
		"in another time zone": {"meta": {"observedAt": "2026-11-21T11:00:00+01:00"}, "age": 0},
		"not said when": {"meta": {"revision": "7"}, "age": null},
		"nothing said": {"meta": {}, "age": null},
	}
	state := object.union(object.remove(fixtures.state, ["meta"]), {"meta": tc.meta})
	carried := object.union(object.remove(fixtures.document({}), ["clusterState"]), {"clusterState": state})
	replicated := object.remove(carried, ["clusterState"])
	ages := [decision.stateAge |
		some document in [carried, replicated]
		decision := fixtures.decide(document, {}) with data.clusters as {"prod-eu": state}
		decision.allowed
	]
	[tc.age, tc.age] == ages
}

test_a_time_of_observation_that_cannot_be_read_allows_nothing if {
	state := object.union(object.remove(fixtures.state, ["meta"]), {"meta": {"observedAt": "yesterday"}})
	document := object.remove(fixtures.document({}), ["clusterState"])
	decision := fixtures.decide(object.union(document, {"clusterState": state}), {})
	[false, true] == [decision.allowed, decision.invalidInput]
}

test_state_age_without_now_goes_by_the_clock if {
	document := object.remove(fixtures.document({}), ["now"])
	decision := fixtures.decide(document, {}) with time.now_ns as time.parse_rfc3339_ns("2026-11-21T10:00:08.5Z")
	object.union(fixtures.allowed, {"stateAge": 10}) == decision
}

test_every_decision_names_the_revision[note] if {
	some note, document in {
		"allowed": fixtures.document({}),
		"denied": fixtures.document({"request": {"replicationFactor": 1}}),
		"refused": fixtures.document({"cluster": 1}),
	}
	decision := fixtures.decide(document, {}) with data.catalog.bundle.revision as "abc123"
	decision.revision == "abc123"
}

# Any difference in what was found leaves the order as it is: by rule, then path, then message.
test_violations_are_in_order if {
	names := fixtures.document({"request": {"topic": "A b", "replicationFactor": 1, "numPartitions": 101}})
	decision := fixtures.decide(names, {})
	[violation.rule | some violation in decision.violations] == [
		"KFK-DUR-001",
		"KFK-NAM-001",
		"KFK-NAM-003",
		"KFK-SIZ-001",
	]
	decision.errors == sort(decision.errors)
}
