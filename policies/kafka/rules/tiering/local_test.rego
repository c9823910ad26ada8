package kafka.rules.tiering_test

import data.kafka.rules.tiering as family

_kept(operation, remote, overrides) := {
	"operation": operation,
	"params": {"KFK-TIE-001": {}},
	"requested": {"values": overrides},
	"effective": {"values": object.union(
		{
			"remote.storage.enable": remote,
			"retention.ms": 100,
			"retention.bytes": -1,
			"local.retention.ms": -2,
			"local.retention.bytes": -2,
		},
		overrides,
	)},
}

_local_violation(name, actual, problem, fix, patch) := {
	"rule": "KFK-TIE-001",
	"severity": "medium",
	"message": sprintf("%s %d %s", [name, actual, problem]),
	"fix": fix,
	"path": ["configs", name],
	"patch": [object.union({"path": $"/configs/{name}"}, patch)],
}

_above(unit, actual, limit) := _local_violation(
	$"local.retention.{unit}", actual, $"is above retention.{unit} {limit}",
	$"set local.retention.{unit} to -2, which is the whole of retention.{unit}, or to a number from 0 to {limit}",
	{"op": "add", "value": "-2"},
)

_idle(unit, actual) := _local_violation(
	$"local.retention.{unit}", actual, "has no effect without remote.storage.enable",
	$"remove local.retention.{unit}, or set remote.storage.enable to true",
	{"op": "remove"},
)

test_local[note] if {
	some note, tc in {
		"not set": {"remote": true, "overrides": {}, "deny": set()},
		"not set, not tiered": {"remote": false, "overrides": {}, "deny": set()},
		"all of it": {"remote": true, "overrides": {"local.retention.ms": -2}, "deny": set()},
		"as long": {"remote": true, "overrides": {"local.retention.ms": 100}, "deny": set()},
		"nothing": {"remote": true, "overrides": {"local.retention.ms": 0}, "deny": set()},
		"one longer": {
			"remote": true,
			"overrides": {"local.retention.ms": 101},
			"deny": {_above("ms", 101, 100)},
		},
		"for ever": {
			"remote": true,
			"overrides": {"local.retention.ms": -1},
			"deny": {_above("ms", -1, 100)},
		},
		"one where nothing is kept": {
			"remote": true,
			"overrides": {"local.retention.ms": 1, "retention.ms": 0},
			"deny": {_above("ms", 1, 0)},
		},
		"all of it, not tiered": {"remote": false, "overrides": {"local.retention.ms": -2}, "deny": set()},
		"for ever, as all of it": {
			"remote": true,
			"overrides": {"local.retention.ms": -1, "retention.ms": -1},
			"deny": set(),
		},
		"any number of bytes, as all of it": {
			"remote": true,
			"overrides": {"local.retention.bytes": 500},
			"deny": set(),
		},
		"more bytes": {
			"remote": true,
			"overrides": {"local.retention.bytes": 51, "retention.bytes": 50},
			"deny": {_above("bytes", 51, 50)},
		},
		"not tiered": {
			"remote": false,
			"overrides": {"local.retention.ms": 1, "local.retention.bytes": 0},
			"deny": {_idle("ms", 1), _idle("bytes", 0)},
		},
	}
	deny := family.deny with input as _kept("CreateTopic", tc.remote, tc.overrides)
	tc.deny == deny
}

test_local_that_is_inherited[note] if {
	some note, tc in {
		"tiered": {"remote": true, "deny": {_above("ms", 101, 100)}},
		"not tiered": {"remote": false, "deny": set()},
	}
	prepared := object.union(_kept("AuditTopic", tc.remote, {}), {"effective": {"values": {"local.retention.ms": 101}}})
	deny := family.deny with input as prepared
	tc.deny == deny
}

test_local_disabled if {
	prepared := object.remove(_kept("CreateTopic", false, {"local.retention.ms": 1}), ["params"])
	deny := family.deny with input as object.union(prepared, {"params": {}})
	deny == set()
}
