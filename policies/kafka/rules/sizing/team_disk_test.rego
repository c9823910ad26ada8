package kafka.rules.sizing_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules.sizing as family

_disk_params := {"maxBytes": 1000, "unboundedAs": 50, "labelKey": "owner"}

_kept(policy, bytes) := {"cleanup.policy": policy, "retention.bytes": bytes}

_disk(before, after, values, held) := object.union(
	_growing("KFK-SIZ-004", _disk_params, before, after, {"totals": {"byOwner": {"shop": held}}}),
	{"labels": {"owner": "shop"}, "effective": {"values": values}},
)

_disk_violation(problem) := _disk_violation_with(
	problem,
	"set a lower retention.bytes, use fewer partitions, or ask for a higher quota",
)

_disk_violation_with(problem, fix) := {
	"rule": "KFK-SIZ-004",
	"severity": "high",
	"message": problem,
	"fix": fix,
	"path": ["configs", "retention.bytes"],
	"patch": [],
}

_full(n) := {_disk_violation(sprintf("the topics of team shop could grow to %d bytes, above the maximum of 1000", [n]))}

test_disk_of_a_new_topic[note] if {
	some note, tc in {
		"exactly full": {"values": _kept(["delete"], 10), "held": 940, "unbounded": 0, "deny": set()},
		"one byte too many": {"values": _kept(["delete"], 10), "held": 941, "unbounded": 0, "deny": _full(1001)},
		"not limited": {"values": _kept(["delete"], -1), "held": 701, "unbounded": 0, "deny": _full(1001)},
		"not limited, exactly full": {"values": _kept(["delete"], -1), "held": 700, "unbounded": 0, "deny": set()},
		"kept for no bytes at all": {"values": _kept(["delete"], 0), "held": 2000, "unbounded": 0, "deny": set()},
		"compacted: nothing limits it": {"values": _kept(["compact"], 10), "held": 701, "unbounded": 0, "deny": _full(1001)},
		"compacted and deleted": {"values": _kept(["compact", "delete"], 10), "held": 940, "unbounded": 0, "deny": set()},
		"others not limited, exactly full": {"values": _kept(["delete"], 10), "held": 890, "unbounded": 1, "deny": set()},
		"others not limited": {"values": _kept(["delete"], 10), "held": 891, "unbounded": 1, "deny": _full(1001)},
	}
	held := {"retainedBytes": tc.held, "unboundedReplicas": tc.unbounded}
	deny := family.deny with input as _disk(null, _sized(2, 3), tc.values, held)
	tc.deny == deny
}

# What the topic could fill before is already counted.
test_disk_of_an_alteration[note] if {
	some note, tc in {
		"kept longer, exactly full": {"before": "10", "partitions": 2, "after": 20, "held": 940, "deny": set()},
		"kept longer": {"before": "10", "partitions": 2, "after": 20, "held": 941, "deny": _full(1001)},
		"more partitions": {"before": "10", "partitions": 4, "after": 10, "held": 941, "deny": _full(1001)},
		"kept shorter, though full": {"before": "10", "partitions": 2, "after": 9, "held": 5000, "deny": set()},
		"as it was, though full": {"before": "10", "partitions": 2, "after": 10, "held": 5000, "deny": set()},
		"no longer limited": {"before": "10", "partitions": 2, "after": -1, "held": 761, "deny": _full(1001)},
		"limited at last, though full": {"before": "-1", "partitions": 2, "after": 10, "held": 5000, "deny": set()},
	}
	before := object.union(_sized(2, 3), {"configs": {"retention.bytes": tc.before}})
	held := {"retainedBytes": tc.held, "unboundedReplicas": 0}
	deny := family.deny with input as _disk(before, _sized(tc.partitions, 3), _kept(["delete"], tc.after), held)
	tc.deny == deny
}

# What another team's topic could fill is not counted yet.
test_disk_of_another_owner[owner] if {
	some owner, denied in {"shop": set(), "other": _full(1001)}
	before := object.union(_sized(2, 3), {"configs": {"retention.bytes": "10"}, "labels": {"owner": owner}})
	held := {"retainedBytes": 941, "unboundedReplicas": 0}
	deny := family.deny with input as _disk(before, _sized(2, 3), _kept(["delete"], 10), held)
	denied == deny
}

# A topic without its own value had the cluster's default before.
test_disk_of_an_alteration_from_the_default if {
	before := object.union(_sized(2, 3), {"configs": {}})
	held := {"retainedBytes": 1000, "unboundedReplicas": 0}
	prepared := _disk(before, _sized(2, 3), _kept(["delete"], 10), held)
	deny := family.deny with input as object.union(prepared, {"clusterState": {"defaults": {"retention.bytes": "10"}}})
	deny == set()
}

test_disk_is_not_known[note] if {
	some note, held in {
		"none of it": {},
		"the limited": {"unboundedReplicas": 0},
		"the others": {"retainedBytes": 0},
		"null": {"retainedBytes": null, "unboundedReplicas": 0},
	}
	deny := family.deny with input as _disk(null, _sized(2, 3), _kept(["delete"], 10), held)
	deny == {_disk_violation_with(
		"it is not known how many bytes the topics of team shop can grow to",
		fixtures.state_fix("totals.byOwner"),
	)}
}

# Only an owner's bytes are counted, so that a label helps where there is none.
test_disk_of_nobody_is_not_known[who] if {
	some who, fields in {
		"User:bob": {"principal": {"type": "User", "name": "bob"}},
	}
	prepared := object.union(_disk(null, _sized(2, 3), _kept(["delete"], 10), {}), fields)
	state := {"totals": {"byPrincipal": {"User:bob": {"topics": 1, "partitions": 1}}}}
	document := object.union(json.remove(prepared, ["/labels", "/clusterState"]), {"labels": {}, "clusterState": state})
	deny := family.deny with input as document
	deny == {_disk_violation_with(
		sprintf("it is not known how many bytes the topics of %s can grow to", [who]),
		"give the topic the label owner",
	)}
}

test_disk_of_a_team_without_topics if {
	prepared := object.union(
		_disk(null, _sized(2, 3), _kept(["delete"], 1000), {}),
		{"labels": {"owner": "new"}},
	)
	deny := family.deny with input as prepared
	deny == {_disk_violation("the topics of team new could grow to 6000 bytes, above the maximum of 1000")}
}

test_charge_of_disks[operation] if {
	some operation, charged in {"CreateTopic": {40}, "AlterTopic": {40}, "AuditTopic": set()}
	charged == {more | some [["totals", "byOwner", "shop", "retainedBytes"], more] in _charges(operation)}
}

test_disk_counted_by_another_label if {
	held := {"retainedBytes": 0, "unboundedReplicas": 0}
	state := {"totals": {"byOwner": {"shop": held}, "labelKeys": {"byOwner": "team"}}}
	document := object.union(_disk(null, _sized(2, 3), _kept(["delete"], 10), {}), {"clusterState": state})
	deny := family.deny with input as document
	deny == {_disk_violation_with(
		"it is not known how many bytes the topics of team shop can grow to, as the state does not count by the label owner",
		"let owners.owner of the replicator and labelKey of this rule name the same label",
	)}
}
