package kafka.rules.sizing_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules.sizing as family

_sized(partitions, factor) := {"numPartitions": partitions, "replicationFactor": factor}

_growing(id, params, before, after, state) := {
	"operation": "AlterTopic",
	"cluster": "c",
	"params": {id: params},
	"topic": "shop.orders",
	"labels": {},
	"current": before,
	"requested": after,
	"clusterState": state,
}

_total_params := {"maxPartitions": 100, "excludePrefixes": ["__"]}

_total_violation(problem, fix) := {
	"rule": "KFK-SIZ-002",
	"severity": "critical",
	"message": problem,
	"fix": fix,
	"path": ["numPartitions"],
	"patch": [],
}

_above_total(n) := {_total_violation(
	sprintf("the cluster would have %d replicas of partitions, above the maximum of 100", [n]),
	"use fewer partitions, or delete topics that nobody uses; the cluster may hold 100 replicas",
)}

_total_not_known := {_total_violation(
	"it is not known how many replicas of partitions the cluster has",
	fixtures.state_fix("totals"),
)}

# A state that does not tell it denies only where the parameter says so.
test_total_that_is_not_known[action] if {
	some action, more in {"deny": {}, "warn": {"effect": "warn"}}
	params := {"maxPartitions": 100, "excludePrefixes": [], "whenUnknown": action}
	deny := family.deny with input as {
		"operation": "CreateTopic",
		"topic": "a",
		"params": {"KFK-SIZ-002": params},
		"current": null,
		"requested": _sized(1, 3),
		"clusterState": {},
		"cluster": "prod",
	}
	deny == {object.union(violation, more) | some violation in _total_not_known}
}

test_cluster_total[note] if {
	some note, tc in {
		"exactly full": {"before": null, "after": _sized(2, 3), "held": 94, "deny": set()},
		"one too many": {"before": null, "after": _sized(2, 3), "held": 95, "deny": _above_total(101)},
		"grown, exactly full": {"before": _sized(2, 3), "after": _sized(4, 3), "held": 94, "deny": set()},
		"grown, one too many": {"before": _sized(2, 3), "after": _sized(4, 3), "held": 95, "deny": _above_total(101)},
		"more copies": {"before": _sized(2, 1), "after": _sized(2, 3), "held": 97, "deny": _above_total(101)},
		"nothing added to a full cluster": {"before": _sized(2, 3), "after": _sized(2, 3), "held": 200, "deny": set()},
		"fewer copies on a full cluster": {"before": _sized(2, 3), "after": _sized(2, 2), "held": 200, "deny": set()},
		"an empty cluster": {"before": null, "after": _sized(33, 3), "held": 0, "deny": set()},
	}
	deny := family.deny with input as _growing(
		"KFK-SIZ-002",
		_total_params,
		tc.before,
		tc.after,
		{"totals": {"replicas": tc.held}},
	)
	tc.deny == deny
}

# A cap on what is not counted holds nothing.
test_cluster_total_is_not_known[note] if {
	some note, state in {
		"no totals": {},
		"no replicas": {"totals": {"topics": 3}},
		"null": {"totals": {"replicas": null}},
		"text": {"totals": {"replicas": "3"}},
	}
	deny := family.deny with input as _growing("KFK-SIZ-002", _total_params, null, _sized(1, 1), state)
	deny == _total_not_known
}

test_cluster_total_leaves_out[name] if {
	some name, n in {"__consumer_offsets": 0, "_schemas": 1}
	prepared := object.union(
		_growing("KFK-SIZ-002", _total_params, null, _sized(50, 3), {"totals": {"replicas": 1}}),
		{"topic": name},
	)
	deny := family.deny with input as prepared
	paths := {0: [], 1: [["numPartitions"]]}
	paths[n] == [violation.path | some violation in deny]
}

# What rules with a cap add up, for an operation on a topic of two partitions that are placed.
_charges(operation) := charges if {
	charges := family.charge with input as {
		"operation": operation,
		"params": {"KFK-SIZ-003": {"labelKey": "owner"}, "KFK-SIZ-004": {"labelKey": "owner", "unboundedAs": 100}},
		"topic": "shop.orders",
		"labels": {"owner": "shop"},
		"effective": {"values": {"cleanup.policy": ["delete"], "retention.bytes": 10}},
		"current": null,
		"requested": {
			"numPartitions": 2,
			"replicationFactor": 2,
			"generatedReplicaAssignments": false,
			"replicasAssignments": {"0": [1, 2], "1": [2, 3]},
		},
		"clusterState": {},
	}
}

test_charge_of_the_cluster[operation] if {
	some operation, charged in {"CreateTopic": {4}, "AlterTopic": {4}, "AuditTopic": set()}
	charged == {more | some [["totals", "replicas"], more] in _charges(operation)}
}
