package kafka.rules.durability_test

import data.kafka.rules.durability as family

_placed(operation, actual, one_per_rack, state) := {
	"operation": operation,
	"cluster": "c",
	"params": {"KFK-DUR-006": {"onePerRack": one_per_rack}},
	"requested": {"replicationFactor": actual},
	"clusterState": state,
}

_racks(names) := {"clusterSize": count(names), "brokers": {format_int(i, 10): {"rack": name} | some i, name in names}}

_unplaced(actual, limit, places) := {
	"rule": "KFK-DUR-006",
	"severity": "high",
	"message": sprintf("replication factor %d is above %d, the number of %s in the cluster", [actual, limit, places]),
	"fix": sprintf("use a replication factor of %d, or add %s", [limit, places]),
	"path": ["replicationFactor"],
	"patch": [{"op": "replace", "path": "/replicationFactor", "value": limit}],
}

test_satisfiable[note] if {
	some note, tc in {
		"as many brokers": {"actual": 3, "racks": ["a", "a", "a"], "one": false, "deny": set()},
		"one broker short": {"actual": 4, "racks": ["a", "b", "c"], "one": false, "deny": {_unplaced(4, 3, "brokers")}},
		"as many racks": {"actual": 3, "racks": ["a", "b", "c", "a"], "one": true, "deny": set()},
		"one rack short": {"actual": 3, "racks": ["a", "b", "a"], "one": true, "deny": {_unplaced(3, 2, "racks")}},
		"one rack short, not required": {"actual": 3, "racks": ["a", "b", "a"], "one": false, "deny": set()},
		"short of both": {"actual": 4, "racks": ["a", "b", "a"], "one": true, "deny": {_unplaced(4, 3, "brokers")}},
		"racks unnamed count for none": {
			"actual": 2,
			"racks": ["a", null, ""],
			"one": true,
			"deny": {_unplaced(2, 1, "racks")},
		},
		"a cluster without racks": {"actual": 3, "racks": [null, null, null], "one": true, "deny": set()},
	}
	deny := family.deny with input as _placed("CreateTopic", tc.actual, tc.one, _racks(tc.racks))
	tc.deny == deny
}

# The cluster-wide configs stand beside the brokers under the name "".
test_satisfiable_cluster_wide_configs_are_no_rack if {
	state := object.union(_racks(["a", "b"]), {"brokers": {"": {"configs": {}}}})
	deny := family.deny with input as _placed("CreateTopic", 2, true, state)
	deny == set()
}

test_satisfiable_with_replicated_state[note] if {
	some note, tc in {
		"enough": {"clusters": {"c": _racks(["a", "b", "c"])}, "deny": set()},
		"one short": {"clusters": {"c": _racks(["a", "b"])}, "deny": {_unplaced(3, 2, "brokers")}},
		"not known how many": {"clusters": {"c": {}}, "deny": set()},
	}
	prepared := object.remove(_placed("CreateTopic", 3, false, {}), ["clusterState"])
	deny := family.deny with input as prepared with data.clusters as tc.clusters
	tc.deny == deny
}

test_satisfiable_without_a_size if {
	deny := family.deny with input as _placed("CreateTopic", 3, false, {})
	deny == set()
}

test_satisfiable_without_a_size_racks_do_not_count_unless_required[note] if {
	some note, tc in {
		"required": {"one": true, "deny": {_unplaced(3, 1, "racks")}},
		"not required": {"one": false, "deny": set()},
	}
	deny := family.deny with input as _placed("CreateTopic", 3, tc.one, {"brokers": {"0": {"rack": "a"}}})
	tc.deny == deny
}
