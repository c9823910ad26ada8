package kafka.request_test

import data.kafka.fixtures_test as fixtures
import data.kafka.request

_op(fields) := {"mode": "incremental", "ops": [fields]}

# Values of each type, and their near misses.
_values := {
	"string": {
		"is": ["a", ""],
		"is not": [null, 1, true, [], {}, ["a"]],
	},
	"name": {
		"is": ["a", " "],
		"is not": ["", null, 1, true, [], {}, ["a"]],
	},
	"boolean": {
		"is": [true, false],
		"is not": ["true", 0, 1, null, [], {}],
	},
	"integer": {
		"is": [0, 1, -1, 3.0, 9223372036854775807],
		"is not": [1.5, "1", null, true, [], {}],
	},
	"object": {
		"is": [{}, {"a": 1}],
		"is not": [[], "{}", null, 1, false],
	},
	"time": {
		"is": ["2026-11-21T10:00:00Z", "2026-11-21T10:00:00.5+01:00"],
		"is not": ["2026-11-21", "2026-11-21 10:00:00", "now", "", 1795255200, null, {}],
	},
	"principal": {
		"is": [{"type": "User", "name": "alice"}],
		"is not": [{"type": "User"}, {"name": "alice"}, {"type": "User", "name": null}, {"type": 1, "name": "a"}, "alice", [], null, {}],
	},
	"configs": {
		"is": [{}, {"a": "1"}, {"a": null}],
		"is not": [{"a": 1}, {"a": true}, {"a": ["1"]}, {"a": {}}, {"a": "1", "b": 2}, [], "a=1", null],
	},
	"labels": {
		"is": [{}, {"owner": "a"}],
		"is not": [{"owner": null}, {"owner": 1}, ["owner"], "owner", null],
	},
	"assignments": {
		"is": [{}, {"0": [1, 2], "1": []}],
		"is not": [{"a": [1]}, {"-1": [1]}, {"": [1]}, {"0": 1}, {"0": null}, {"0": ["1"]}, {"0": [1.5]}, {"0": {}}, [[1]], null],
	},
	"replicaLists": {
		"is": [[], [[1, 2], [2, 3]], [[]]],
		"is not": [[1, 2], [["1"]], [null], [{}], {"0": [1]}, "1,2", null],
	},
	"reassignments": {
		"is": [{}, {"0": [4, 5], "1": null}],
		"is not": [{"0": "4"}, {"a": null}, {"0": [null]}, [[4]], null],
	},
	"change": {
		"is": [
			{"mode": "incremental", "ops": []},
			_op({"name": "a", "op": "SET", "value": "1"}),
			_op({"name": "a", "op": "SET", "value": null}),
			_op({"name": "a", "op": "DELETE"}),
			_op({"name": "a", "op": "APPEND", "value": "1"}),
			_op({"name": "a", "op": "SUBTRACT", "value": "1"}),
			{"mode": "full", "entries": {}},
			{"mode": "full", "entries": {"a": null, "b": "1"}},
			{"mode": "resolved", "before": {}, "after": {"a": "1"}},
		],
		"is not": [
			_op({"name": "a", "op": "set", "value": "1"}),
			_op({"name": "a", "op": "REPLACE", "value": "1"}),
			_op({"name": "a", "value": "1"}),
			_op({"op": "SET", "value": "1"}),
			_op({"name": 1, "op": "SET", "value": "1"}),
			_op({"name": "a", "op": "SET", "value": 1}),
			_op(null),
			_op("SET a=1"),
			{"mode": "incremental"},
			{"mode": "incremental", "ops": "x"},
			{"mode": "incremental", "ops": null},
			{"mode": "incremental", "entries": {}},
			{"ops": []},
			{"mode": "full"},
			{"mode": "full", "entries": {"a": 1}},
			{"mode": "full", "entries": []},
			{"mode": "full", "entries": {}, "ops": []},
			{"mode": "resolved", "before": {}},
			{"mode": "resolved", "after": {}},
			{"mode": "resolved", "before": {"a": null}, "after": {}},
			{"mode": "resolved", "before": {}, "after": {"a": null}},
			{"mode": "Full", "entries": {}},
			{"mode": null},
			{},
			[],
			"retention.ms=1",
			null,
		],
	},
}

# Where a value of each type stands in an input.
_inputs(value) := {
	"string": {"point": value},
	"boolean": {"validateOnly": value},
	"object": {"clusterState": value},
	"time": {"now": value},
	"principal": {"principal": value},
	"name": {"request": {"topic": value}},
	"integer": {"request": {"numPartitions": value}},
	"configs": {"request": {"configs": value}},
	"labels": {"request": {"labels": value}},
	"assignments": {"request": {"replicasAssignments": value}},
	"replicaLists": {"operation": "AlterTopic", "request": {"newAssignments": value}},
	"reassignments": {"operation": "AlterTopic", "request": {"reassignments": value}},
	"change": {"operation": "AlterTopic", "request": {"configs": value}},
}

# The quick look and the thorough one, which has the words, must agree.
test_is[type] if {
	some type, values in _values
	wrong := [value |
		some value in values.is
		document := fixtures.document(_inputs(value)[type])
		[set(), {true}] != [_errors(document), {true | request.fits(document, document)}]
	]
	wrong == []
}

test_is_not[type] if {
	some type, values in _values
	wrong := [value |
		some value in values["is not"]
		document := fixtures.document(_inputs(value)[type])
		[1, set()] != [count(_errors(document)), {true | request.fits(document, document)}]
	]
	wrong == []
}

_errors(document) := request.errors(document)

_errors(document) := set() if not request.errors(document)

test_every_type_of_the_tables_is_tried if {
	shapes := array.concat([request.envelope], [shape | some shape in request.operations])
	{type | some shape in shapes; some type in shape.inside} - object.keys(_values) == set()
}
