package kafka.rules.changes_test

import data.kafka.configs
import data.kafka.rules.changes as family

# An alteration of configs from the overrides `before` to `after`, as rules see it; `fields` replaces what differs.
_altered(params, before, after, fields) := object.union(
	{
		"operation": "AlterTopic",
		"cluster": "c",
		"clusterState": _state,
		"params": params,
		"topic": "t",
		"labels": {},
		"current": object.union(_topic, {"configs": before, "values": configs.values("topic", before)}),
		"requested": _topic,
		"change": configs.resolved("topic", before, {"mode": "resolved", "before": before, "after": after}),
		"effective": {"values": configs.effective("topic", {"clusterState": _state}, after)},
	},
	fields,
)

_state := {
	"defaults": {"retention.ms": "500"},
	"brokers": {id: {"rack": rack} | some id, rack in {"1": "a", "2": "b", "3": "c", "4": "a", "5": null}},
}

_topic := {
	"numPartitions": 2,
	"replicationFactor": 3,
	"replicasAssignments": {"0": [1, 2, 3], "1": [2, 3, 1]},
	"labels": {},
	"reassigning": {},
}

_shrink_params := {"KFK-CHG-001": {"maxShrinkRatio": 0.5, "approvalLabel": "ok"}}

_shrinks(name, before, after, limit) := {
	"rule": "KFK-CHG-001",
	"severity": "critical",
	"message": sprintf("%s shrinks from %d to %d, below the %d that needs no approval", [name, before, after, limit]),
	"fix": sprintf("keep %s at %d or more, or have the topic labelled ok by whoever answers for its data", [name, limit]),
	"path": ["configs", name],
	"patch": [],
}

_limited(name, after) := object.union(_shrinks(name, -1, after, -1), {
	"message": sprintf("%s goes from -1, which is no limit, to %d, which needs approval", [name, after]),
	"fix": sprintf("keep %s at -1, or have the topic labelled ok by whoever answers for its data", [name]),
})

test_retention_shrinks[note] if {
	some note, tc in {
		"to the limit": {"before": {"retention.ms": "1000"}, "after": {"retention.ms": "500"}, "deny": set()},
		"one below": {
			"before": {"retention.ms": "1000"},
			"after": {"retention.ms": "499"},
			"deny": {_shrinks("retention.ms", 1000, 499, 500)},
		},
		"of an odd number, the limit rounds up": {
			"before": {"retention.ms": "1001"},
			"after": {"retention.ms": "500"},
			"deny": {_shrinks("retention.ms", 1001, 500, 501)},
		},
		"to nothing": {
			"before": {"retention.ms": "1000"},
			"after": {"retention.ms": "0"},
			"deny": {_shrinks("retention.ms", 1000, 0, 500)},
		},
		"grows": {"before": {"retention.ms": "1000"}, "after": {"retention.ms": "2000"}, "deny": set()},
		"stays": {"before": {"retention.ms": "1000"}, "after": {"retention.ms": "1000"}, "deny": set()},
		"to no limit": {"before": {"retention.ms": "1000"}, "after": {"retention.ms": "-1"}, "deny": set()},
		"no limit stays": {"before": {"retention.ms": "-1"}, "after": {"retention.ms": "-1"}, "deny": set()},
		"from no limit to the longest there is": {
			"before": {"retention.ms": "-1"},
			"after": {"retention.ms": "9223372036854775807"},
			"deny": set(), # nothing gets as old
		},
		"from one way of no limit to another": {
			"before": {"retention.bytes": "-5"},
			"after": {"retention.bytes": "-1"},
			"deny": set(),
		},
		"from another way of no limit to one": {
			"before": {"retention.bytes": "-9223372036854775808"},
			"after": {"retention.bytes": "9223372036854775807"},
			"deny": set(),
		},
		"from another way of no limit": {
			"before": {"retention.bytes": "-5"},
			"after": {"retention.bytes": "100"},
			"deny": {_limited("retention.bytes", 100)},
		},
		"from no limit to nothing": {
			"before": {"retention.ms": "-1"},
			"after": {"retention.ms": "0"},
			"deny": {_limited("retention.ms", 0)},
		},
		"by a removed override": {
			"before": {"retention.ms": "1001"},
			"after": {},
			"deny": {_shrinks("retention.ms", 1001, 500, 501)},
		},
		"by a new override": {
			"before": {},
			"after": {"retention.ms": "1"},
			"deny": {_shrinks("retention.ms", 500, 1, 250)},
		},
		"bytes, from Kafka's own default": {
			"before": {},
			"after": {"retention.bytes": "1000000000000"},
			"deny": {_limited("retention.bytes", 1000000000000)},
		},
		"both": {
			"before": {"retention.ms": "1000", "retention.bytes": "10"},
			"after": {"retention.ms": "1", "retention.bytes": "1"},
			"deny": {_shrinks("retention.ms", 1000, 1, 500), _shrinks("retention.bytes", 10, 1, 5)},
		},
		"another config": {"before": {"segment.ms": "1000"}, "after": {"segment.ms": "1"}, "deny": set()},
		"where nothing is deleted": {
			"before": {"retention.ms": "1000", "cleanup.policy": "compact"},
			"after": {"retention.ms": "1", "cleanup.policy": "compact"},
			"deny": set(),
		},
		"while deletion is turned on": {
			"before": {"retention.ms": "1000", "cleanup.policy": "compact"},
			"after": {"retention.ms": "1", "cleanup.policy": "compact,delete"},
			"deny": {_shrinks("retention.ms", 1000, 1, 500)},
		},
	}
	deny := family.deny with input as _altered(_shrink_params, tc.before, tc.after, {})
	tc.deny == deny
}

test_retention_approved[note] if {
	some note, tc in {
		"by the label": {"labels": {"ok": "GRC-12"}, "n": 0},
		"by another label": {"labels": {"OK": "GRC-12"}, "n": 1},
		"by an empty label": {"labels": {"ok": ""}, "n": 1},
		"by a blank label": {"labels": {"ok": " "}, "n": 1},
		"by null": {"labels": {"ok": null}, "n": 1},
	}
	document := _altered(_shrink_params, {"retention.ms": "-1"}, {"retention.ms": "1"}, {"labels": tc.labels})
	deny := family.deny with input as document
	paths := {0: [], 1: [["configs", "retention.ms"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}

test_retention_ratio[ratio] if {
	some ratio, limit in {0: 604800000, 0.1: 544320000, 1: 0}
	params := {"KFK-CHG-001": {"maxShrinkRatio": ratio, "approvalLabel": "ok"}}
	on := family.deny with input as _altered(
		params,
		{"retention.ms": "604800000"},
		{"retention.ms": json.marshal(limit)},
		{},
	)
	on == set()
	off := family.deny with input as _altered(
		params,
		{"retention.ms": "604800000"},
		{"retention.ms": json.marshal(limit - 1)},
		{},
	)
	count(off) == min([limit, 1])
}
