package kafka.base.request_test

import data.kafka.base.request
import data.kafka.fixtures_test as fixtures

_limits := {
	"bytes": 60,
	"characters": 20,
	"nameCharacters": 15,
	"entries": 5,
	"partitions": 7,
	"byPartition": ["reassignments"],
	"depth": 3,
	"items": 2,
}

_long := "aaaaaaaaaaaaaaaaaaaaa"

_padding := {"operation": "12345678901234567890", "cluster": "12345678901234567890"}

test_what_is_too_large[note] if {
	some note, [fields, sentences] in {
		"a text": [{"request": {"topic": _long}}, {"request.topic: a text of 21 characters: send no more than 20"}],
		"a name": [{"request": {_long: 1}}, {"request: a name of 21 characters: send none with more than 15"}],
		"entries": [
			{"request": {"configs": numbers.range(1, 6)}},
			{"request.configs: 6 entries: send no more than 5"},
		],
		"entries by partition": [
			{"request": {"reassignments": numbers.range(1, 8)}},
			{"request.reassignments: 8 entries: send no more than 7"},
		],
		"as many as there are partitions": [{"request": {"reassignments": numbers.range(1, 7)}}, set()],
		"depth": [{"request": {"a": {"b": [1]}}}, {"request.a.b.0: nested more than 3 levels deep"}],
		"two things": [
			{"principal": {"name": _long}, "request": {"topic": _long}},
			{
				"principal.name: a text of 21 characters: send no more than 20",
				"request.topic: a text of 21 characters: send no more than 20",
			},
		],
		"fields of its own": [
			{"a": 1, "b": 2, "c": 3, "d": 4},
			{"the input: 6 entries: send no more than 5"},
		],
		"what is known of clusters": [{"clusterState": {"topics": {_long: {"x": _long}}}, "clusters": {_long: 1}}, set()],
	}
	sentences == request.excesses(object.union(_padding, fields)) with data.catalog.limits.decision as _limits
}

test_nothing_is_counted_of_a_small_input if {
	request.excesses({"a": _long}) == set() with data.catalog.limits.decision as _limits
	request.excesses("a") == set()
}

test_a_place_that_is_long_is_cut if {
	name := concat("", [_long, _long, _long, _long])
	limits := object.union(_limits, {"nameCharacters": 100})
	messages := request.excesses({"x": {name: _long}}) with data.catalog.limits.decision as limits
	some message in messages
	count(message) == 80 + count(": a text of 21 characters: send no more than 20")
}

test_a_decision_about_what_is_too_large if {
	document := object.union(fixtures.document({}), {"principal": {"type": "User", "name": _long}})
	sentence := "principal.name: a text of 21 characters: send no more than 20"
	decision := data.kafka.decision with input as document
		with data.catalog.limits.decision as object.union(_limits, {"nameCharacters": 99, "entries": 99})
	[true, [sentence], false] == [decision.invalidInput, decision.errors, decision.allowed]
}

test_a_batch_of_too_many if {
	decisions := data.kafka.decisions with input as {"items": {"a": {}, "b": {}, "c": {}}}
		with data.catalog.limits.decision as _limits
	{["items: 3 in one batch: send no more than 2"]} == {decision.errors | some decision in decisions}
	count(decisions) == 3
}
