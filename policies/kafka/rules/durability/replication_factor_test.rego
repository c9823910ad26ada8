package kafka.rules.durability_test

import data.kafka.rules.durability as family

_factor(operation, actual, params) := {
	"operation": operation,
	"params": {"KFK-DUR-001": params},
	"requested": {"replicationFactor": actual},
}

_factor_violation(actual, direction, limit) := {
	"rule": "KFK-DUR-001",
	"severity": "critical",
	"message": sprintf("replication factor %d is %s of %d", [actual, direction, limit]),
	"fix": sprintf("use a replication factor of %d", [limit]),
	"path": ["replicationFactor"],
	"patch": [{"op": "replace", "path": "/replicationFactor", "value": limit}],
}

test_replication_factor[note] if {
	some note, tc in {
		"one below": {"actual": 2, "params": {"min": 3, "max": 5}, "deny": {_factor_violation(2, "below the minimum", 3)}},
		"on the minimum": {"actual": 3, "params": {"min": 3, "max": 5}, "deny": set()},
		"on the maximum": {"actual": 5, "params": {"min": 3, "max": 5}, "deny": set()},
		"one above": {"actual": 6, "params": {"min": 3, "max": 5}, "deny": {_factor_violation(6, "above the maximum", 5)}},
		"no replicas at all": {
			"actual": 0,
			"params": {"min": 1, "max": 5},
			"deny": {_factor_violation(0, "below the minimum", 1)},
		},
	}
	deny := family.deny with input as _factor("CreateTopic", tc.actual, tc.params)
	tc.deny == deny
}

test_replication_factor_without_parameters if {
	prepared := object.remove(_factor("CreateTopic", 1, {}), ["params"])
	deny := family.deny with input as prepared
	deny == set()
}

test_replication_factor_of_a_cluster_of_one_broker[note] if {
	some note, tc in {
		"one broker": {"size": 1, "min": 3, "offers": true},
		"two copies": {"size": 1, "min": 2, "offers": true},
		"two brokers": {"size": 2, "min": 3, "offers": false},
		"one copy will do": {"size": 1, "min": 1, "offers": false},
	}
	prepared := object.union(
		_factor("CreateTopic", 0, {"min": tc.min, "max": 5}),
		{"clusterState": {"clusterSize": tc.size}},
	)
	fixes := [violation.fix | some violation in family.deny] with input as prepared
	offer := {true: ", or give this cluster of one broker the profile single-broker", false: ""}[tc.offers]
	fixes == [sprintf("use a replication factor of %d%s", [tc.min, offer])]
}
