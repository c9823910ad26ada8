package kafka.model.learnt_test

import data.kafka.model.learnt

_keys := {
	"topic": {"own.flag": {"type": "boolean"}, "own.list": {"type": "list"}, "own.most": {"type": "int"}},
	"broker": {"own.password": {"type": "password", "sensitive": true}, "own.size": {"type": "long", "readOnly": true}},
}

_described := {"cluster": "c", "clusterState": {"catalog": {"beside": _newest, "configs": _keys}}}

_empty_state_document := {"cluster": "c", "clusterState": {}}

test_unlisted[note] if {
	some note, tc in {
		"none": {"kind": "topic", "before": {}, "after": {}, "unlisted": {}},
		"of the catalogue": {"kind": "topic", "before": {}, "after": {"retention.ms": "1"}, "unlisted": {}},
		"set anew": {"kind": "topic", "before": {}, "after": {"x": "1", "retention.ms": "1"}, "unlisted": {"x": "1"}},
		"set to another text": {"kind": "topic", "before": {"x": "1"}, "after": {"x": "2"}, "unlisted": {"x": "2"}},
		"left alone": {"kind": "topic", "before": {"x": "1"}, "after": {"x": "1", "y": "1"}, "unlisted": {"y": "1"}},
		"removed": {"kind": "topic", "before": {"x": "1"}, "after": {}, "unlisted": {}},
		"null": {"kind": "topic", "before": {}, "after": {"x": null}, "unlisted": {}},
		"the cluster's": {"kind": "topic", "before": {}, "after": {"own.flag": "1", "x": "1"}, "unlisted": {"x": "1"}},
		"another kind's": {"kind": "topic", "before": {}, "after": {"own.size": "1"}, "unlisted": {"own.size": "1"}},
		"a listener's": {
			"kind": "broker",
			"before": {},
			"after": {
				"listener.name.a.plain.sasl.jaas.config": "x", "listener.name.a.ssl.keystore.type": "PEM",
				"listener.name.a.x": "1", "listener.name.a.own.size": "1",
			},
			"unlisted": {"listener.name.a.x": "1"},
		},
		"a listener's, of a topic": {
			"kind": "topic",
			"before": {},
			"after": {"listener.name.a.ssl.keystore.type": "PEM"},
			"unlisted": {"listener.name.a.ssl.keystore.type": "PEM"},
		},
	}
	tc.unlisted == learnt.unlisted(_described, tc.kind, tc.before, tc.after)
}

test_new[note] if {
	some note, tc in {
		"set anew": {"before": {}, "after": {"own.flag": "x", "x": "1", "retention.ms": "1"}, "names": {"own.flag"}},
		"left alone": {"before": {"own.flag": "x"}, "after": {"own.flag": "x"}, "names": set()},
		"set to another text": {"before": {"own.flag": "y"}, "after": {"own.flag": "x"}, "names": {"own.flag"}},
		"null": {"before": {}, "after": {"own.flag": null}, "names": set()},
	}
	learnt.new(_described, "topic", tc.before, tc.after) == {name: _keys.topic[name] | some name in tc.names}
	learnt.new(_empty_state_document, "topic", tc.before, tc.after) == {}
}

test_faults[note] if {
	some note, tc in {
		"of their types": {"after": {"own.flag": " True", "own.list": "a,b", "own.most": "5"}, "faults": set()},
		"no boolean": {
			"after": {"own.flag": "maybe"},
			"faults": {"Invalid value maybe for configuration own.flag: Expected value to be either true or false"},
		},
		"no number": {
			"after": {"own.most": "5000000000"},
			"faults": {"Invalid value 5000000000 for configuration own.most: Not a number of type INT"},
		},
		"nobody's": {"after": {"x": "maybe"}, "faults": set()},
	}
	tc.faults == learnt.faults(_described, "topic", {}, tc.after)
	set() == learnt.faults(_described, "topic", tc.after, tc.after)
}

test_typed[note] if {
	overrides := {"own.flag": "true", "own.list": "a,b", "own.most": "5x", "x": "1", "retention.ms": "5"}
	values := {"own.flag": "true", "own.list": "a,b", "own.most": "5x", "x": "1", "retention.ms": 5}
	some note, tc in {
		"described": {"document": _described, "over": {"own.flag": true, "own.list": ["a", "b"]}},
		"not described": {"document": _empty_state_document, "over": {}},
	}
	object.union(values, tc.over) == learnt.typed(tc.document, "topic", overrides, values)
}

_states := {
	"no state": {},
	"no catalogue": {"clusterState": {}},
	"no release": {"clusterState": {"catalog": {}}},
	"no such release": {"clusterState": {"catalog": {"release": "four"}}},
	"older": {"clusterState": {"catalog": {"release": "3.9.1"}}},
	"the catalogue's": {"clusterState": {"catalog": {"release": _newest}}},
	"another patch of it": {"clusterState": {"catalog": {"release": $"{_minor}.99"}}},
	"a provider's": {"clusterState": {"catalog": {"release": "3.9.1"}, "managed": {"brokerLogs": true}}},
	"newer": {"clusterState": {"catalog": {"release": "9.0"}}},
	"described": {"clusterState": {"catalog": {"beside": _newest, "configs": {"topic": {}}}}},
	"described, of another kind": {"clusterState": {"catalog": {"beside": _newest, "configs": {"group": {}}}}},
	"described beside another catalogue": {"clusterState": {"catalog": {"beside": "9.0", "configs": {"topic": {}}}}},
	"newer, of two digits": {"clusterState": {"catalog": {"release": "4.10"}}},
}

_newest := data.catalog.topic.kafka

_minor := concat(".", array.slice(split(_newest, "."), 0, 2))

test_complete[note] if {
	some note, state in _states
	complete := note in {"older", "the catalogue's", "another patch of it", "described"}
	complete == _is_complete(object.union({"cluster": "c"}, state))
}

default _is_complete(_) := false

_is_complete(document) if learnt.is_complete(document, "topic")

test_removed[note] if {
	some note, state in _states
	removed := note in (object.keys(_states) - {"older", "a provider's", "no such release"})
	removed == _is_key_dropped(object.union({"cluster": "c"}, state), {"removed": "4.0"})
}

default _is_key_dropped(_, _) := false

_is_key_dropped(document, row) if learnt.is_key_dropped(document, row)

test_lists[note] if {
	some note, tc in {
		"appended to": {"op": "APPEND", "name": "x", "release": "9.0", "lists": {"x"}},
		"taken from": {"op": "SUBTRACT", "name": "x", "release": "9.0", "lists": {"x"}},
		"set": {"op": "SET", "name": "x", "release": "9.0", "lists": set()},
		"of the catalogue": {"op": "APPEND", "name": "retention.ms", "release": "9.0", "lists": set()},
		"the cluster's list": {"op": "APPEND", "name": "own.list", "release": "4.0", "lists": {"own.list"}},
		"the cluster's, no list": {"op": "APPEND", "name": "own.flag", "release": "9.0", "lists": set()},
		"of no Kafka": {"op": "APPEND", "name": "x", "release": "4.0", "lists": set()},
	}
	catalog := {"release": tc.release, "configs": _keys}
	document := {"cluster": "c", "clusterState": {"catalog": catalog}}
	change := {"mode": "incremental", "ops": [{"name": tc.name, "op": tc.op, "value": "a"}]}
	tc.lists == learnt.possible_lists(document, "topic", change)
	set() == learnt.possible_lists(document, "topic", {"mode": "full", "entries": {tc.name: "a"}})
}
