package kafka.engine.sequence_test

import data.kafka.fixtures_test as fixtures

# The fixture's state was observed 1.5 seconds ago; it has shop.orders, with 2 partitions of 3 replicas.
_step(seconds, state, replicas) := {"secondsAgo": seconds, "state": state, "charges": {"/totals/replicas": replicas}}

_topic_state(partitions) := {
	"numPartitions": partitions, "configs": {"retention.ms": "9"}, "labels": {}, "internal": false,
	"replicasAssignments": {format_int(at, 10): [-1] | some at in numbers.range(0, partitions - 1)},
	"markedForDeletion": false, "reassigning": {},
}

_decide_after(changes, held, items) := result if {
	laid := fixtures.compiled({"rules": _rules, "clusters": [], "enforcementPoints": {}, "waivers": []})
	common := {"cluster": "prod-eu", "now": fixtures.now, "clusterState": _state(held)}
	batch := {"order": sort(object.keys(items)), "common": common, "items": items, "changes": changes}
	result := data.kafka.decisions with input as batch with data.settings.compiled as laid
}

_alter(name, partitions) := {"operation": "AlterTopic", "request": {"topic": name, "numPartitions": partitions}}

_delete(name) := {"operation": "DeleteTopic", "request": {"topic": name}}

test_what_is_changed_counts[note] if {
	some note, tc in {
		"done since": {"changes": {"shop.new": [_step(1, _topic_state(10), 10)]}, "held": 90, "allowed": false},
		"under way": {"changes": {"shop.new": [_step(null, _topic_state(10), 10)]}, "held": 90, "allowed": false},
		"room is left": {"changes": {"shop.new": [_step(1, _topic_state(10), 9)]}, "held": 90, "allowed": true},
		"the state was observed later": {
			"changes": {"shop.new": [_step(3, _topic_state(10), 10)]},
			"held": 90,
			"allowed": true,
		},
		"within what clocks differ": {
			"changes": {"shop.new": [_step(2, _topic_state(10), 10)]},
			"held": 90,
			"allowed": false,
		},
		"the state has it already": {
			"changes": {"shop.orders": [_step(1, _topic_state(2), 10)]},
			"held": 90,
			"allowed": true,
		},
		"the state has a part of it": {
			"changes": {"shop.orders": [_step(1, _topic_state(3), 10)]},
			"held": 90,
			"allowed": false,
		},
		"gone again": {
			"changes": {"shop.new": [_step(1, _topic_state(10), 10), _step(1, null, 0)]},
			"held": 90,
			"allowed": true,
		},
		"about to go again": {
			"changes": {"shop.new": [_step(1, _topic_state(10), 10), _step(null, null, 0)]},
			"held": 90,
			"allowed": false,
		},
		"a deletion before another": {
			"changes": {"shop.orders": [_step(1, null, 10), _step(1, _topic_state(9), 9), _step(1, null, 0)]},
			"held": 90,
			"allowed": false,
		},
		"of another topic, of whose state the number of partitions is there": {
			"changes": {"shop.orders": [_step(1, {"numPartitions": 2}, 10)]},
			"held": 90,
			"allowed": true,
		},
		"a deletion that it shows": {"changes": {"shop.gone": [_step(1, null, 10)]}, "held": 90, "allowed": true},
	}
	tc.allowed == _decide_after(tc.changes, tc.held, {"a": _create("shop.a", 1)}).a.allowed
}

# What a client has changed is there for its next request.
test_what_is_changed_is_there[note] if {
	grown := object.filter(_topic_state(7), ["numPartitions", "replicasAssignments"])
	some note, tc in {
		"made, then altered": {"steps": [_step(1, _topic_state(2), 2)], "item": _alter("shop.new", 3), "error": null},
		"made, then made": {
			"steps": [_step(1, _topic_state(2), 2)],
			"item": _create("shop.new", 3),
			"error": "TOPIC_ALREADY_EXISTS",
		},
		"being made": {"steps": [_step(null, _topic_state(2), 2)], "item": _create("shop.new", 3), "error": null},
		"deleted, then made": {
			"steps": [_step(2, _topic_state(2), 2), _step(1, null, 0)],
			"item": _create("shop.new", 3),
			"error": null,
		},
		"deleted, then altered": {
			"steps": [_step(2, _topic_state(2), 2), _step(1, null, 0)],
			"item": _alter("shop.new", 3),
			"error": "UNKNOWN_TOPIC_OR_PARTITION",
		},
		"made anew": {
			"steps": [_step(2, null, 0), _step(1, _topic_state(2), 2)],
			"item": _alter("shop.new", 2),
			"error": "INVALID_PARTITIONS",
		},
		"grown": {
			"steps": [_step(2, _topic_state(2), 2), _step(1, grown, 5)],
			"item": _alter("shop.new", 7),
			"error": "INVALID_PARTITIONS",
		},
		"long ago": {
			"steps": [_step(9, _topic_state(2), 2)],
			"item": _alter("shop.new", 3),
			"error": "UNKNOWN_TOPIC_OR_PARTITION",
		},
	}
	decision := _decide_after({"shop.new": tc.steps}, 0, {"a": tc.item}).a
	[decision.error.name | decision.error != null] == [tc.error | tc.error != null]
}

# Of a topic that the state has: it is gone, or has other configs, and is else as it was.
test_a_stored_topic_that_is_changed if {
	gone := _decide_after({"shop.orders": [_step(1, null, 0)]}, 0, {"a": _delete("shop.orders")}).a
	gone.error.name == "UNKNOWN_TOPIC_OR_PARTITION"
	configs := {"shop.orders": [_step(1, {"configs": {"retention.ms": "7"}}, 0)]}
	change := {"mode": "incremental", "ops": [{"name": "segment.ms", "op": "SET", "value": "8"}]}
	item := {"operation": "AlterTopic", "request": {"topic": "shop.orders", "configs": change}}
	decision := _decide_after(configs, 0, {"a": item}).a
	decision.effect == {"configs": {"retention.ms": "7", "segment.ms": "8"}}
}

test_effects[note] if {
	some note, tc in {
		"a creation": {
			"item": _create("shop.new", 2),
			"effect": object.union(object.remove(_topic_state(2), ["configs"]), {"configs": {}}),
		},
		"growth": {
			"item": _alter("shop.orders", 3),
			"effect": {
				"numPartitions": 3,
				"replicasAssignments": {"0": [1, 2, 3], "1": [2, 3, 1], "2": [-1, -1, -1]},
			},
		},
		"a creation with labels": {
			"item": object.union(_create("shop.new", 2), {"request": {"labels": {"dataClass": "personal"}}}),
			"effect": object.union(
				object.remove(_topic_state(2), ["configs", "labels"]),
				{"configs": {}, "labels": {"dataClass": "personal"}},
			),
		},
		"other labels": {
			"item": {"operation": "AlterTopic", "request": {"topic": "shop.orders", "labels": {}}},
			"effect": {"labels": {}},
		},
		"a deletion": {"item": _delete("shop.orders"), "effect": null},
	}
	decision := _decide_after({}, 0, {"a": tc.item}).a
	tc.effect == decision.effect
}

test_no_effects[note] if {
	some note, item in {
		"tried": object.union(_create("shop.new", 2), {"validateOnly": true}),
		"denied": _create("shop.this.name.is.much.too.long", 2),
		"no topic": {"operation": "AlterQuota", "request": {
			"entity": {"user": "a"},
			"ops": [{"key": "producer_byte_rate", "value": 9000000}],
		}},
	}
	not "effect" in object.keys(_decide_after({}, 0, {"a": item}).a)
}

test_changes_that_cannot_be_read[changes] if {
	some changes in [
		[], {"a": {}}, {"a": [{}]}, {"a": [_step("1", null, 0)]}, {"a": [_step(1, "x", 0)]}, {"a": [_step(1, {}, "1")]},
	]
	decision := _decide_after(changes, 0, {"a": _create("shop.new", 2)}).a
	startswith(decision.errors[0], "changes: send by topic a list of objects")
}

test_changes_without_an_order if {
	batch := {"items": {"a": fixtures.document({})}, "changes": {}}
	fixtures.decide_all(batch).a == fixtures.refused(["changes: send the order of the items, too"])
}

# Where nobody knows how old the state is, nothing counts as observed.
test_a_state_without_a_time if {
	laid := fixtures.compiled({"rules": _rules, "clusters": [], "enforcementPoints": {}, "waivers": []})
	state := object.union(object.remove(_state(90), ["meta"]), {"meta": {}})
	common := {"cluster": "prod-eu", "now": fixtures.now, "clusterState": state}
	changes := {"shop.new": [_step(99, _topic_state(10), 10)]}
	batch := {"order": ["a"], "common": common, "items": {"a": _create("shop.a", 1)}, "changes": changes}
	decisions := data.kafka.decisions with input as batch with data.settings.compiled as laid
	decisions.a.allowed == false
}
