package kafka.rules.changes_test

import data.kafka.rules.changes as family

_moved(allowed, after, fields) := _altered(
	{"KFK-CHG-006": {"allowRfChange": allowed}},
	{},
	{},
	object.union({"requested": {"replicasAssignments": after}}, fields),
)

_move_violation(partition, after, what, before, more) := {
	"rule": "KFK-CHG-006",
	"severity": "high",
	"message": sprintf("partition %d would have %d %s in place of %d%s", [partition, after, what, before, more]),
	"fix": concat(" ", [
		"give every partition as many brokers as it has, in as many racks,",
		"or fewer where `allowRfChange` is true, each in a rack of its own",
	]),
	"path": ["reassignments", format_int(partition, 10)],
	"patch": [],
}

test_reassignment[note] if {
	some note, tc in {
		"nothing moves": {"allowed": false, "after": {}, "deny": set()},
		"to a broker of the same rack": {"allowed": false, "after": {"0": [4, 2, 3]}, "deny": set()},
		"in another order": {"allowed": false, "after": {"0": [3, 2, 1]}, "deny": set()},
		"one replica more": {
			"allowed": false,
			"after": {"0": [1, 2, 3, 4]},
			"deny": {_move_violation(0, 4, "replicas", 3, "")},
		},
		"one replica more, allowed": {"allowed": true, "after": {"0": [1, 2, 3, 4]}, "deny": set()},
		"one replica and one rack fewer": {
			"allowed": false,
			"after": {"1": [2, 3]},
			"deny": {_move_violation(1, 2, "replicas", 3, ""), _move_violation(1, 2, "racks", 3, "")},
		},
		"one replica and one rack fewer, allowed": {"allowed": true, "after": {"0": [1, 2], "1": [2, 3]}, "deny": set()},
		"two replicas and two racks fewer, allowed": {"allowed": true, "after": {"0": [3]}, "deny": set()},
		"allowed, but for the rack": {
			"allowed": true,
			"after": {"1": [1, 4]},
			"deny": {_move_violation(1, 1, "racks", 3, "")},
		},
		"one replica more, allowed, but for the rack": {
			"allowed": true,
			"after": {"1": [1, 2, 4, 5]},
			"deny": {_move_violation(1, 2, "racks", 3, "")},
		},
		"two of one rack": {
			"allowed": false,
			"after": {"0": [1, 4, 3]},
			"deny": {_move_violation(0, 2, "racks", 3, "")},
		},
		"a broker without a rack": {
			"allowed": false,
			"after": {"0": [1, 2, 5]},
			"deny": {_move_violation(0, 2, "racks", 3, "")},
		},
		"a broker that is not known": {
			"allowed": false,
			"after": {"0": [1, 2, 9]},
			"deny": {_move_violation(0, 2, "racks", 3, "")},
		},
		"both partitions": {
			"allowed": false,
			"after": {"0": [1, 2, 3, 4], "1": [1, 2, 3, 4]},
			"deny": {_move_violation(0, 4, "replicas", 3, ", and 1 more likewise")},
		},
		"a partition that is new": {"allowed": false, "after": {"2": [1]}, "deny": set()},
	}
	deny := family.deny with input as _moved(tc.allowed, tc.after, {})
	tc.deny == deny
}

# The first is so by number, not by name.
test_reassignment_of_many_partitions if {
	present := {"replicasAssignments": {format_int(i, 10): [1, 2, 3] | some i in numbers.range(0, 11)}}
	after := {format_int(i, 10): [1, 2, 3, 4] | some i in numbers.range(2, 11)}
	deny := family.deny with input as _moved(false, after, {"current": present})
	deny == {_move_violation(2, 4, "replicas", 3, ", and 9 more likewise")}
}

# What an earlier reassignment removes is gone already.
test_reassignment_while_another_runs[note] if {
	some note, tc in {
		"as many as there will be": {"after": [1, 4], "deny": set()},
		"as many as there still are": {"after": [1, 2, 4], "deny": {_move_violation(0, 3, "replicas", 2, "")}},
	}
	current := {"replicasAssignments": {"0": [1, 2, 4]}, "reassigning": {"0": {"adding": [], "removing": [2]}}}
	document := _altered(
		{"KFK-CHG-006": {"allowRfChange": false}},
		{},
		{},
		{
			"clusterState": {"brokers": {id: {"rack": "a"} | some id in ["1", "2", "3", "4", "5"]}},
			"current": current,
			"requested": {"replicasAssignments": {"0": array.reverse(tc.after)}},
		},
	)
	deny := family.deny with input as document
	tc.deny == deny
}
