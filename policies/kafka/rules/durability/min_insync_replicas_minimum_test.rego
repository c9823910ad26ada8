package kafka.rules.durability_test

import data.kafka.rules.durability as family

# A topic with this override (null: none) in a cluster where that value is in force.
_floored(operation, override, in_force, params) := {
	"operation": operation,
	"params": {"KFK-DUR-003": params},
	"requested": {"values": {"min.insync.replicas": override | override != null}},
	"effective": {"values": {"min.insync.replicas": in_force}},
}

_floor_violation(actual, problem, wanted) := {
	"rule": "KFK-DUR-003",
	"severity": "high",
	"message": sprintf("min.insync.replicas %d is %s", [actual, problem]),
	"fix": sprintf("set min.insync.replicas to %d on the topic", [wanted]),
	"path": ["configs", "min.insync.replicas"],
	"patch": [{"op": "add", "path": "/configs/min.insync.replicas", "value": format_int(wanted, 10)}],
}

_inherited := "inherited from the cluster, not set on the topic"

test_floor[note] if {
	some note, tc in {
		"one below": {
			"override": 1,
			"in_force": 1,
			"explicit": false,
			"deny": {_floor_violation(1, "below the minimum of 2", 2)},
		},
		"on it": {"override": 2, "in_force": 2, "explicit": false, "deny": set()},
		"above": {"override": 3, "in_force": 3, "explicit": false, "deny": set()},
		"inherited, below": {
			"override": null,
			"in_force": 1,
			"explicit": false,
			"deny": {_floor_violation(1, "below the minimum of 2", 2)},
		},
		"inherited, on it": {"override": null, "in_force": 2, "explicit": false, "deny": set()},
		"has to be set and is": {"override": 2, "in_force": 2, "explicit": true, "deny": set()},
		"has to be set, is and is below": {
			"override": 1,
			"in_force": 1,
			"explicit": true,
			"deny": {_floor_violation(1, "below the minimum of 2", 2)},
		},
		"has to be set, on it": {
			"override": null,
			"in_force": 2,
			"explicit": true,
			"deny": {_floor_violation(2, _inherited, 2)},
		},
		"has to be set, above": {
			"override": null,
			"in_force": 3,
			"explicit": true,
			"deny": {_floor_violation(3, _inherited, 3)},
		},
		"has to be set, below": {
			"override": null,
			"in_force": 1,
			"explicit": true,
			"deny": {_floor_violation(1, "below the minimum of 2", 2)},
		},
	}
	params := {"min": 2, "requireExplicit": tc.explicit}
	deny := family.deny with input as _floored("CreateTopic", tc.override, tc.in_force, params)
	tc.deny == deny
}

# What is not known is no copy at all.
test_floor_without_a_value if {
	prepared := object.union(
		object.remove(_floored("AuditTopic", null, 2, {"min": 2, "requireExplicit": false}), ["effective"]),
		{"effective": {"values": {}}},
	)
	deny := family.deny with input as prepared
	deny == {_floor_violation(0, "below the minimum of 2", 2)}
}
