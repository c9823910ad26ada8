package kafka.rules.sizing_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules.sizing as family

_loaded(before, after, state) := object.union(
	_growing("KFK-SIZ-008", {"maxPerBroker": 10}, before, after, state),
	{"operation": object.get({null: "CreateTopic"}, before, "AlterTopic")},
)

_generated(partitions, factor) := object.union(_sized(partitions, factor), {
	"replicasAssignments": {},
	"generatedReplicaAssignments": true,
})

_placement(assignments) := object.union(_sized(count(assignments), 1), {
	"replicasAssignments": assignments,
	"generatedReplicaAssignments": false,
})

_load_violation(problem, path) := _load_violation_with(
	problem,
	"place the replicas on brokers with fewer of them, use fewer partitions, or add brokers; a broker may hold 10",
	path,
)

_load_violation_with(problem, fix, path) := {
	"rule": "KFK-SIZ-008",
	"severity": "high",
	"message": problem,
	"fix": fix,
	"path": [path],
	"patch": [],
}

_overloaded(broker, n) := _load_violation(
	sprintf("%s would hold %d replicas, above the maximum of 10", [broker, n]),
	"replicasAssignments",
)

test_replicas_are_spread[note] if {
	some note, tc in {
		"exactly full": {"replicas": 24, "size": 3, "n": 10},
		"one too many": {"replicas": 25, "size": 3, "n": 11},
		"another broker": {"replicas": 25, "size": 4, "n": 8},
		"an empty cluster": {"replicas": 0, "size": 3, "n": 2},
	}
	state := {"clusterSize": tc.size, "totals": {"replicas": tc.replicas}}
	deny := family.deny with input as _loaded(null, _generated(2, 3), state)
	problem := sprintf("each broker would hold %d replicas, above the maximum of 10", [tc.n])
	deny == {_load_violation(problem, "numPartitions") | tc.n > 10}
}

test_nothing_is_added_to_full_brokers if {
	state := {"clusterSize": 3, "totals": {"replicas": 3000}}
	deny := family.deny with input as _loaded(_generated(2, 3), _generated(2, 3), state)
	deny == set()
}

test_replicas_are_placed[note] if {
	some note, tc in {
		"exactly full": {"before": null, "after": {"0": [1, 2], "1": [1, 3]}, "deny": set()},
		"one too many": {
			"before": null,
			"after": {"0": [1, 2], "1": [1, 3], "2": [1]},
			"deny": {_overloaded("broker 1", 11)},
		},
		"two brokers": {
			"before": null,
			"after": {"0": [1, 9], "1": [1, 9], "2": [1, 9]},
			"deny": {_overloaded("broker 1", 11), _overloaded("broker 9", 12)},
		},
		"a broker without any": {"before": null, "after": {"0": [7]}, "deny": set()},
		"moved to a full one": {"before": {"0": [2]}, "after": {"0": [9], "1": [9]}, "deny": {_overloaded("broker 9", 11)}},
		"moved and given back": {"before": {"0": [9], "1": [1]}, "after": {"0": [1], "1": [9]}, "deny": set()},
		"stays on a full one": {"before": {"0": [5, 1]}, "after": {"0": [5, 2]}, "deny": set()},
		"only reordered on a full one": {"before": {"0": [5, 1]}, "after": {"0": [1, 5]}, "deny": set()},
		"untouched on a full one": {"before": {"0": [5]}, "after": {"0": [5], "1": [1]}, "deny": set()},
	}
	state := {"totals": {"byBroker": {"1": 8, "2": 9, "3": 0, "5": 50, "9": 9}}}
	before := {"none": null, "some": object.union(_sized(1, 1), {"replicasAssignments": tc.before})}
	current := before[_assignments_kind(tc.before)]
	deny := family.deny with input as _loaded(current, _placement(tc.after), state)
	tc.deny == deny
}

_assignments_kind(null) := "none"

_assignments_kind(assignments) := "some" if assignments != null

test_load_is_not_known[note] if {
	fix := fixtures.state_fix("totals and clusterSize")
	spread := _load_violation_with("it is not known how many replicas each broker holds", fix, "numPartitions")
	placed := _load_violation_with("it is not known how many replicas broker 1 holds", fix, "replicasAssignments")
	some note, tc in {
		"spread, no totals": {"after": _generated(1, 1), "state": {"clusterSize": 3}, "deny": {spread}},
		"spread, no size": {"after": _generated(1, 1), "state": {"totals": {"replicas": 3}}, "deny": {spread}},
		"spread, no brokers": {
			"after": _generated(1, 1),
			"state": {"clusterSize": 0, "totals": {"replicas": 3}},
			"deny": {spread},
		},
		"placed, no totals": {"after": _placement({"0": [1]}), "state": {}, "deny": {placed}},
		"placed, none by broker": {"after": _placement({"0": [1]}), "state": {"totals": {"replicas": 1}}, "deny": {placed}},
	}
	deny := family.deny with input as _loaded(null, tc.after, tc.state)
	tc.deny == deny
}

test_load_of_a_broker_as_it_is[note] if {
	some note, tc in {
		"exactly full": {"totals": {"byBroker": {"1": 10}}, "n": 0},
		"one too many": {"totals": {"byBroker": {"1": 11}}, "n": 1},
		"another one": {"totals": {"byBroker": {"2": 11}}, "n": 0},
		"not known": {"totals": {}, "n": 0},
	}
	deny := family.deny with input as {
		"operation": "AuditBroker",
		"cluster": "c",
		"params": {"KFK-SIZ-008": {"maxPerBroker": 10}},
		"broker": "1",
		"clusterState": {"totals": tc.totals},
	}
	expected := _load_violation_with(
		"broker 1 holds 11 replicas, above the maximum of 10",
		"move replicas to brokers with fewer of them, or add brokers; a broker may hold 10",
		"broker",
	)
	deny == {expected | tc.n == 1}
}

test_charge_of_brokers[operation] if {
	gained := {"1": 1, "2": 2, "3": 1}
	some operation, charged in {"CreateTopic": gained, "AlterTopic": gained, "AuditTopic": {}}
	charged == {id: more | some [["totals", "byBroker", id], more] in _charges(operation)}
}
