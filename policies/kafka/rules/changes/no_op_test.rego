package kafka.rules.changes_test

import data.kafka.configs
import data.kafka.rules.changes as family

_idle(before, change, fields) := _altered(
	{"KFK-CHG-007": {}},
	before,
	configs.after("topic", before, change),
	object.union({"change": configs.resolved("topic", before, change)}, fields),
)

_reported(path, message) := {
	"rule": "KFK-CHG-007",
	"severity": "info",
	"message": message,
	"fix": "leave out of the request what was not to change",
	"path": path,
	"patch": [],
}

_no_change := _reported(["configs"], "the request changes nothing: the topic is as it asks for already")

_same(name, value) := _reported(
	["configs", name],
	sprintf("the override of %s changes, but %s is in force before and after", [name, value]),
)

# The forms of a change name different things for the same result, and have the same violation.
test_no_op[note] if {
	some note, tc in {
		"set to what it is": {
			"change": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "SET", "value": "1000"}]},
			"deny": {_no_change},
		},
		"replaced by what it is": {"change": {"mode": "full", "entries": {"retention.ms": "1000"}}, "deny": {_no_change}},
		"states that are equal": {
			"change": {"mode": "resolved", "before": {"retention.ms": "1000"}, "after": {"retention.ms": "1000"}},
			"deny": {_no_change},
		},
		"an override of what is in force": {
			"change": {"mode": "incremental", "ops": [{"name": "min.insync.replicas", "op": "SET", "value": "1"}]},
			"deny": {_same("min.insync.replicas", "1")},
		},
		"an override of what is in force, and more": {
			"change": {"mode": "full", "entries": {"retention.ms": "2000", "cleanup.policy": "delete"}},
			"deny": {_same("cleanup.policy", "[\"delete\"]")},
		},
		"another spelling": {
			"change": {"mode": "full", "entries": {"retention.ms": "01000"}},
			"deny": {_no_change},
		},
		"something, beside what stays": {
			"change": {"mode": "full", "entries": {"retention.ms": "1000", "segment.ms": "1"}},
			"deny": set(),
		},
		"something": {"change": {"mode": "full", "entries": {}}, "deny": set()},
	}
	deny := family.deny with input as _idle({"retention.ms": "1000"}, tc.change, {})
	tc.deny == deny
}

_none := {"mode": "incremental", "ops": []}

test_no_op_of_fields[note] if {
	some note, tc in {
		"nothing": {"fields": {}, "deny": {_no_change}},
		"more partitions": {"fields": {"requested": {"numPartitions": 3}}, "deny": set()},
		"other replicas": {"fields": {"requested": {"replicasAssignments": {"0": [1, 2, 4]}}}, "deny": set()},
		"other labels": {"fields": {"labels": {"owner": "shop"}}, "deny": set()},
		"a reassignment that runs may be what it is about": {
			"fields": {"current": {"reassigning": {"0": {"adding": [], "removing": [1]}}}},
			"deny": set(),
		},
	}
	deny := family.deny with input as _idle({}, _none, tc.fields)
	tc.deny == deny
}

test_no_op_where_the_rule_is_disabled if {
	deny := family.deny with input as _idle({}, _none, {"params": {"KFK-CHG-004": {"protectedKeys": []}}})
	{found.rule | some found in deny} == {"KFK-CHG-007"}
	other := family.deny with input as object.remove(_idle({}, _none, {}), ["params"])
	other == set()
}
