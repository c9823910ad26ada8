package kafka.rules.retention_test

import data.kafka.rules.retention as family

_bytes(values, fields) := object.union(
	{
		"operation": "CreateTopic",
		"params": {"KFK-RET-002": {"min": 100, "max": 500, "unlimitedUpTo": 1000}},
		"effective": {"values": object.union({"cleanup.policy": ["delete"], "retention.ms": 1000}, values)},
	},
	fields,
)

_bytes_violation(actual, direction, limit) := {
	"rule": "KFK-RET-002",
	"severity": "medium",
	"message": sprintf("retention.bytes %d is %s of %d", [actual, direction, limit]),
	"fix": sprintf("set retention.bytes to %d", [limit]),
	"path": ["configs", "retention.bytes"],
	"patch": [{"op": "add", "path": "/configs/retention.bytes", "value": format_int(limit, 10)}],
}

_unlimited := _bytes_violation(-1, "above the maximum", 500)

test_bytes[note] if {
	some note, tc in {
		"one below": {"bytes": 99, "ms": 1, "deny": {_bytes_violation(99, "below the minimum", 100)}},
		"on the minimum": {"bytes": 100, "ms": 1, "deny": set()},
		"on the maximum": {"bytes": 500, "ms": -1, "deny": set()},
		"one above": {"bytes": 501, "ms": 1, "deny": {_bytes_violation(501, "above the maximum", 500)}},
		"nothing": {"bytes": 0, "ms": 1, "deny": {_bytes_violation(0, "below the minimum", 100)}},
		"no limit, but not for longer than may be": {"bytes": -1, "ms": 1000, "deny": set()},
		"no limit, but nothing is kept": {"bytes": -1, "ms": 0, "deny": set()},
		"no limit, for longer": {"bytes": -1, "ms": 1001, "deny": {_unlimited}},
		"no limit, in another number": {"bytes": -2, "ms": 1001, "deny": {_bytes_violation(-2, "above the maximum", 500)}},
		"no limit, for ever": {"bytes": -1, "ms": -1, "deny": {_unlimited}},
	}
	deny := family.deny with input as _bytes({"retention.bytes": tc.bytes, "retention.ms": tc.ms}, {})
	tc.deny == deny
}

test_bytes_may_never_be_unlimited[milliseconds] if {
	some milliseconds in [-1, 1]
	params := {"KFK-RET-002": {"unlimitedUpTo": 0}}
	deny := family.deny with input as _bytes({"retention.bytes": -1, "retention.ms": milliseconds}, {"params": params})
	deny == {_unlimited}
}

test_bytes_only_where_old_data_is_deleted[note] if {
	some note, tc in {
		"delete": {"policy": ["delete"], "n": 1},
		"compact": {"policy": ["compact"], "n": 0},
		"both": {"policy": ["compact", "delete"], "n": 1},
		"neither": {"policy": [], "n": 0},
	}
	deny := family.deny with input as _bytes({"retention.bytes": 1, "cleanup.policy": tc.policy}, {})
	paths := {0: [], 1: [["configs", "retention.bytes"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}
