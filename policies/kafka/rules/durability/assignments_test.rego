package kafka.rules.durability_test

import data.kafka.rules.durability as family

# Brokers 1 and 4 are in rack a, 2 and 5 in b, 3 in c; 6 has no rack.
_brokers := {
	"1": {"rack": "a"}, "2": {"rack": "b"}, "3": {"rack": "c"},
	"4": {"rack": "a"}, "5": {"rack": "b"}, "6": {"rack": null},
}

_assigned(assignments, fields) := object.union(
	{
		"operation": "CreateTopic",
		"params": {"KFK-DUR-007": {"minRacks": 2}},
		"current": null,
		"requested": {"generatedReplicaAssignments": false, "replicasAssignments": assignments, "reassigning": {}},
		"clusterState": {"brokers": _brokers},
	},
	fields,
)

_misplaced_violation(problem) := {
	"rule": "KFK-DUR-007",
	"severity": "high",
	"message": problem,
	"fix": "give every partition equally many replicas, in 2 racks or more",
	"path": ["replicasAssignments"],
	"patch": [],
}

_uneven(listed) := _misplaced_violation(sprintf("partitions have different numbers of replicas: %s", [listed]))

_narrow(partitions) := _misplaced_violation(sprintf("the replicas of %s are in fewer than 2 racks", [partitions]))

test_assignments[note] if {
	some note, tc in {
		"even, in two racks": {"assignments": {"0": [1, 2, 4], "1": [2, 3, 5]}, "deny": set()},
		"uneven": {"assignments": {"0": [1, 2, 3], "1": [2, 3]}, "deny": {_uneven("2, 3")}},
		"uneven in three ways": {"assignments": {"0": [1, 2, 3], "1": [2, 3], "2": [1]}, "deny": {_uneven("1, 2, 3")}},
		"in one rack": {"assignments": {"0": [1, 4], "1": [1, 2]}, "deny": {_narrow("partition 0")}},
		"in order of number": {
			"assignments": {"0": [1, 4], "1": [1, 2], "2": [2, 5], "10": [1, 4]},
			"deny": {_narrow("partitions 0, 2, 10")},
		},
		"one replica cannot be in two": {"assignments": {"0": [1], "1": [2]}, "deny": set()},
		"no rack is no rack": {"assignments": {"0": [1, 6]}, "deny": {_narrow("partition 0")}},
		"an unknown broker is in none": {"assignments": {"0": [1, 9]}, "deny": {_narrow("partition 0")}},
		"both": {"assignments": {"0": [1, 4], "1": [1, 2, 3]}, "deny": {_uneven("2, 3"), _narrow("partition 0")}},
	}
	deny := family.deny with input as _assigned(tc.assignments, {})
	tc.deny == deny
}

test_assignments_where_racks_are_not_known[note] if {
	some note, state in {
		"no rack has a name": {"brokers": {"1": {"rack": null}, "4": {"rack": ""}}},
		"no brokers": {"brokers": {}},
		"nothing": {},
	}
	deny := family.deny with input as object.union(
		object.remove(_assigned({"0": [1, 4]}, {}), ["clusterState"]),
		{"clusterState": state},
	)
	deny == set()
}

# Partition 0 was narrow before, and partition 1 is on its way from three replicas to two.
test_altered_assignments[note] if {
	some note, tc in {
		"another is mended": {"requested": {"0": [1, 4], "1": [1, 2, 3], "2": [1, 2]}, "deny": set()},
		"another becomes narrow": {"requested": {"0": [1, 4], "1": [1, 2, 3], "2": [2, 5]}, "deny": {_narrow("partition 2")}},
		"one replica more": {"requested": {"0": [1, 4, 2], "1": [1, 2, 3], "2": [2, 3]}, "deny": {_uneven("2, 3")}},
		"the same in another order": {"requested": {"0": [4, 1], "1": [1, 2, 3], "2": [3, 2]}, "deny": set()},
		"as narrow as before": {"requested": {"0": [4, 6], "1": [1, 2, 3], "2": [2, 3]}, "deny": set()},
		"the first as its leaving replica": {
			"requested": {"0": [1, 4], "1": [1, 2, 3], "2": [2]},
			"deny": {_uneven("1, 2")},
		},
		"back to the replica that was leaving": {
			"requested": {"0": [1, 4], "1": [3, 2], "2": [2, 3]},
			"deny": set(),
		},
	}
	deny := family.deny with input as _assigned(tc.requested, {
		"operation": "AlterTopic",
		"current": {"replicasAssignments": {"0": [1, 4], "1": [1, 2, 3], "2": [2, 3]}},
		"requested": {"reassigning": {"1": {"adding": [], "removing": [3]}}},
	})
	tc.deny == deny
}

# What a replica that leaves spans is no more than what will be without it.
test_altered_assignments_that_a_replica_leaves if {
	current := {"0": [1, 2], "1": [1, 4, 2]}
	deny := family.deny with input as _assigned(object.union(current, {"0": [2, 3]}), {
		"operation": "AlterTopic",
		"current": {"replicasAssignments": current},
		"requested": {"reassigning": {"1": {"adding": [], "removing": [2]}}},
	})
	deny == set()
}

# Some partitions have other numbers of replicas than the first already.
test_altered_assignments_that_are_uneven[note] if {
	some note, tc in {
		"moved": {"requested": {"0": [1, 2, 4], "1": [1, 2], "2": [3]}, "deny": set()},
		"one is mended": {"requested": {"0": [1, 2, 3], "1": [1, 2, 3], "2": [3]}, "deny": set()},
		"all are mended": {"requested": {"0": [2], "1": [1], "2": [3]}, "deny": set()},
		"one more, and even": {"requested": {"0": [1, 2, 3], "1": [1, 2], "2": [3], "3": [1, 2, 3]}, "deny": set()},
		"one more, and odd": {
			"requested": {"0": [1, 2, 3], "1": [1, 2], "2": [3], "3": [1, 2]},
			"deny": {_uneven("1, 2, 3")},
		},
		"one is mended and another not": {
			"requested": {"0": [1, 2], "1": [1, 2], "2": [3], "3": [1]},
			"deny": {_uneven("1, 2")},
		},
	}
	deny := family.deny with input as _assigned(tc.requested, {
		"operation": "AlterTopic",
		"current": {"replicasAssignments": {"0": [1, 2, 3], "1": [1, 2], "2": [3]}},
	})
	tc.deny == deny
}

test_assignments_that_kafka_generates if {
	deny := family.deny with input as _assigned({"0": [1, 4]}, {"requested": {"generatedReplicaAssignments": true}})
	deny == set()
}
