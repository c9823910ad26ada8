package kafka.audit_parts_test

import data.kafka.audit_parts
import data.kafka.fixtures_test as fixtures

_naming := {"cluster": "prod-eu", "now": fixtures.now, "clusterState": fixtures.state}

_names(document) := answer if {
	laid := fixtures.compiled(object.union(fixtures.settings, {"waivers": [{
		"id": "w1", "rule": "KFK-NAM-001", "topic": "Old", "owner": "shop",
		"reason": "r", "ticket": "T-1", "expires": "2026-12-01",
	}]}))
	answer := audit_parts.names with input as document with data.settings.compiled as laid
}

_errors(answer) := {topic: decision.errors | some topic, decision in answer.decisions}

test_only_what_is_not_clean_has_a_decision if {
	answer := _names({"common": _naming, "topics": {"shop.orders": false, "Shop": false, "__state": true, "Old": false}})
	[answer.evaluated, answer.allowed] == [4, 4 - count(answer.decisions)]
	_errors(answer) == {
		"Shop": [`KFK-NAM-001: topic name "Shop" does not match the convention ^[a-z]+(\.[a-z]+)+$`],
		"Old": [],
	}
	answer.decisions.Old.violations[0].waiver.id == "w1"
}

# The same as kafka/decisions about the same names.
test_names_are_decided_as_one_by_one if {
	topics := {
		"shop.orders": false,
		"Shop": true,
		"": false,
		"a b": false,
		"x.a.very.long.name.it.is": false,
		"y": 3,
		"z": null,
	}
	answer := _names({"common": _naming, "topics": topics})
	answer.evaluated == count(topics)
	answer.allowed == count(topics) - count(answer.decisions)
	laid := fixtures.compiled(fixtures.settings)
	single := data.kafka.decisions with data.settings.compiled as laid with input as {
		"common": object.union(_naming, {"operation": "AuditTopicName"}),
		"items": {topic: {"request": {"topic": topic, "internal": hidden}} | some topic, hidden in topics},
	}
	answer.decisions == {topic: decision | some topic, decision in single; decision != fixtures.allowed}
}

test_names_that_cannot_be_decided[note] if {
	some note, tc in {
		"no common part": {
			"input": {"topics": {"a.b": true}},
			"errors": {"a.b": ["cluster is missing: give a non-empty string"]},
		},
		"a common part that is none": {
			"input": {"common": 3, "topics": {"a.b": true}},
			"errors": {"a.b": ["common: not a JSON object: send the fields that the items share, or none"]},
		},
		"a cluster of which nothing is known": {
			"input": {"common": {"cluster": "c"}, "topics": {"a.b": true}},
			"errors": {"a.b": ["cluster: nothing is known of \"c\": replicate it or send clusterState"]},
		},
		"a field that is unknown": {
			"input": {"common": object.union(_naming, {"request": {"labels": {}}}), "topics": {"a.b": true}},
			"errors": {"a.b": ["request.labels: unknown field: use internal, topic"]},
		},
		"no topics": {"input": {"common": _naming, "topics": {}}, "errors": {}},
	}
	answer := _names(tc.input)
	answer.evaluated == count(tc.input.topics)
	_errors(answer) == tc.errors
}

test_no_answer_about_what_are_no_names[note] if {
	some note, topics in {"a list": [true], "a string": "a.b", "a number": 1, "null": null}
	not _names({"common": _naming, "topics": topics})
}
