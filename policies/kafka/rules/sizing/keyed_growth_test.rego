package kafka.rules.sizing_test

import data.kafka.rules.sizing as family

_ack := {"keyedLabel": "keyed", "ackLabel": "grow"}

_rekeyed(before, after, fields) := object.union_n([
	_growing("KFK-SIZ-006", _ack, object.union(_sized(before, 3), {"values": {}}), _sized(after, 3), {}),
	{"effective": {"values": {"cleanup.policy": ["compact"]}}},
	fields,
])

_key_violation(kind) := {
	"rule": "KFK-SIZ-006",
	"severity": "high",
	"message": sprintf("with 12 partitions in place of 6 the keys of this %s topic go to other partitions", [kind]),
	"fix": "make a topic with 12 partitions and move to it, or acknowledge the growth with the label grow: 12",
	"path": ["numPartitions"],
	"patch": [],
}

_policy(names) := {"effective": {"values": {"cleanup.policy": names}}}

test_keyed_growth[note] if {
	some note, tc in {
		"compacted": {"fields": {}, "deny": {_key_violation("compacted")}},
		"compacted and deleted": {"fields": _policy(["delete", "compact"]), "deny": {_key_violation("compacted")}},
		"compacted until now": {
			"fields": object.union(_policy(["delete"]), {"current": {"values": {"cleanup.policy": ["compact"]}}}),
			"deny": {_key_violation("compacted")},
		},
		"not known to have keys": {"fields": _policy(["delete"]), "deny": set()},
		"said to have keys": {
			"fields": object.union(_policy(["delete"]), {"labels": {"keyed": "true"}}),
			"deny": {_key_violation("keyed")},
		},
		"said to have keys, with blanks": {
			"fields": object.union(_policy(["delete"]), {"labels": {"keyed": "true "}}),
			"deny": {_key_violation("keyed")},
		},
		"said to have none": {"fields": object.union(_policy(["delete"]), {"labels": {"keyed": "false"}}), "deny": set()},
		"compacted, whatever the label says": {
			"fields": {"labels": {"keyed": "false"}},
			"deny": {_key_violation("compacted")},
		},
		"acknowledged": {"fields": {"labels": {"grow": "12"}}, "deny": set()},
		"acknowledged, with blanks": {"fields": {"labels": {"grow": " 12"}}, "deny": set()},
		"another growth acknowledged": {"fields": {"labels": {"grow": "6"}}, "deny": {_key_violation("compacted")}},
		"acknowledged once and for all": {"fields": {"labels": {"grow": "true"}}, "deny": {_key_violation("compacted")}},
	}
	deny := family.deny with input as _rekeyed(6, 12, tc.fields)
	tc.deny == deny
}

test_keyed_growth_is_growth[note] if {
	some note, tc in {
		"one more": {"after": 7, "n": 1},
		"as many": {"after": 6, "n": 0},
		"fewer, which Kafka refuses": {"after": 5, "n": 0},
	}
	deny := family.deny with input as _rekeyed(6, tc.after, {})
	paths := {0: [], 1: [["numPartitions"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}
