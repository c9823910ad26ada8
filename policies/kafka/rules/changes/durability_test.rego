package kafka.rules.changes_test

import data.kafka.rules.changes as family

_durable_params := {"KFK-CHG-003": {"keys": [
	"replicationFactor",
	"min.insync.replicas",
	"unclean.leader.election.enable",
]}}

_lowers(name, before, after, path) := {
	"rule": "KFK-CHG-003",
	"severity": "critical",
	"message": sprintf("%s goes from %v to %v, which lowers durability", [name, before, after]),
	"fix": sprintf("leave %s at %v", [name, before]),
	"path": path,
	"patch": [],
}

test_durability_of_configs[note] if {
	some note, tc in {
		"fewer in sync": {
			"before": {"min.insync.replicas": "2"},
			"after": {"min.insync.replicas": "1"},
			"deny": {_lowers("min.insync.replicas", 2, 1, ["configs", "min.insync.replicas"])},
		},
		"fewer in sync, by a removed override": {
			"before": {"min.insync.replicas": "2"},
			"after": {},
			"deny": {_lowers("min.insync.replicas", 2, 1, ["configs", "min.insync.replicas"])},
		},
		"more in sync": {"before": {}, "after": {"min.insync.replicas": "2"}, "deny": set()},
		"as many in sync": {"before": {}, "after": {"min.insync.replicas": "1"}, "deny": set()},
		"unclean leaders": {
			"before": {},
			"after": {"unclean.leader.election.enable": "true"},
			"deny": {_lowers("unclean.leader.election.enable", false, true, ["configs", "unclean.leader.election.enable"])},
		},
		"no unclean leaders any more": {"before": {"unclean.leader.election.enable": "true"}, "after": {}, "deny": set()},
		"both": {
			"before": {"min.insync.replicas": "3"},
			"after": {"min.insync.replicas": "2", "unclean.leader.election.enable": "TRUE"},
			"deny": {
				_lowers("min.insync.replicas", 3, 2, ["configs", "min.insync.replicas"]),
				_lowers("unclean.leader.election.enable", false, true, ["configs", "unclean.leader.election.enable"]),
			},
		},
		"a key that is not listed": {"before": {"flush.ms": "1"}, "after": {}, "deny": set()},
	}
	deny := family.deny with input as _altered(_durable_params, tc.before, tc.after, {})
	tc.deny == deny
}

test_durability_of_replicas[note] if {
	some note, tc in {
		"one fewer": {"after": {"0": [1, 2], "1": [2, 3]}, "deny": {_lowers("replicationFactor", 3, 2, ["reassignments"])}},
		"of a partition that is not the first": {
			"after": {"1": [2]},
			"deny": {_lowers("replicationFactor", 3, 1, ["reassignments"])},
		},
		"of one partition, while another gains": {
			"after": {"0": [1, 2, 3, 4], "1": [2, 3]},
			"deny": {_lowers("replicationFactor", 3, 2, ["reassignments"])},
		},
		"one more": {"after": {"0": [1, 2, 3, 4]}, "deny": set()},
		"others": {"after": {"0": [4, 2, 3]}, "deny": set()},
	}
	fields := {"requested": {"replicasAssignments": tc.after}}
	deny := family.deny with input as _altered(_durable_params, {}, {}, fields)
	tc.deny == deny
}

test_durability_of_a_wanted_number[wanted] if {
	some wanted, denied in {2: {_lowers("replicationFactor", 3, 2, ["replicationFactor"])}, 3: set(), 4: set()}
	deny := family.deny with input as _altered(_durable_params, {}, {}, {"request": {"replicationFactor": wanted}})
	denied == deny
}
