package kafka.rules.retention_test

import data.kafka.rules.retention as family

_bounds := {"min": 1000, "max": 5000, "justifyLabel": "why"}

_keeps(actual, fields) := object.union(
	{
		"operation": "CreateTopic",
		"params": {"KFK-RET-001": _bounds},
		"effective": {"values": {"cleanup.policy": ["delete"], "retention.ms": actual}},
		"labels": {},
	},
	fields,
)

_violation(actual, direction, limit) := {
	"rule": "KFK-RET-001",
	"severity": "high",
	"message": sprintf("retention.ms %d is %s of %d", [actual, direction, limit]),
	"fix": sprintf("set retention.ms to %d", [limit]),
	"path": ["configs", "retention.ms"],
	"patch": [{"op": "add", "path": "/configs/retention.ms", "value": format_int(limit, 10)}],
}

test_bounds[note] if {
	some note, tc in {
		"one below": {"actual": 999, "deny": {_violation(999, "below the minimum", 1000)}},
		"on the minimum": {"actual": 1000, "deny": set()},
		"on the maximum": {"actual": 5000, "deny": set()},
		"one above": {"actual": 5001, "deny": {_violation(5001, "above the maximum", 5000)}},
		"for ever": {"actual": -1, "deny": {_violation(-1, "above the maximum", 5000)}},
		"nothing is kept": {"actual": 0, "deny": {_violation(0, "below the minimum", 1000)}},
		"the longest that Kafka takes": {
			"actual": 9223372036854775807,
			"deny": {_violation(9223372036854775807, "above the maximum", 5000)},
		},
	}
	deny := family.deny with input as _keeps(tc.actual, {})
	tc.deny == deny
}

# The label justifies keeping longer, never losing data sooner; an empty one justifies nothing.
test_justification[note] if {
	some note, tc in {
		"for ever, justified": {"actual": -1, "labels": {"why": "audit"}, "n": 0},
		"too long, justified": {"actual": 5001, "labels": {"why": "audit"}, "n": 0},
		"too short, justified": {"actual": 999, "labels": {"why": "audit"}, "n": 1},
		"another label": {"actual": -1, "labels": {"Why": "audit"}, "n": 1},
		"empty": {"actual": -1, "labels": {"why": ""}, "n": 1},
		"blank": {"actual": -1, "labels": {"why": " "}, "n": 1},
		"null": {"actual": -1, "labels": {"why": null}, "n": 1},
	}
	deny := family.deny with input as _keeps(tc.actual, {"labels": tc.labels})
	paths := {0: [], 1: [["configs", "retention.ms"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}

# What is compacted is kept by key, whatever its age.
test_only_where_old_data_is_deleted[note] if {
	some note, tc in {
		"delete": {"policy": ["delete"], "n": 1},
		"compact": {"policy": ["compact"], "n": 0},
		"both": {"policy": ["compact", "delete"], "n": 1},
		"neither, which keeps everything": {"policy": [], "n": 1},
	}
	deny := family.deny with input as _keeps(-1, {"effective": {"values": {"cleanup.policy": tc.policy}}})
	paths := {0: [], 1: [["configs", "retention.ms"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}

# Since KIP-1161 an empty cleanup.policy is a retention without end, whatever retention.ms says.
test_an_empty_policy_keeps_everything[note] if {
	some note, tc in {
		"within the bounds": {"actual": 2000, "labels": {}},
		"below the minimum": {"actual": 1, "labels": {}},
		"of another label": {"actual": 2000, "labels": {"Why": "audit"}},
	}
	fields := {"labels": tc.labels, "effective": {"values": {"cleanup.policy": []}}}
	deny := family.deny with input as _keeps(tc.actual, fields)
	deny == {{
		"rule": "KFK-RET-001",
		"severity": "high",
		"message": "retention.ms -1, as which an empty cleanup.policy counts, is above the maximum of 5000",
		"fix": "set retention.ms to 5000 and cleanup.policy to delete",
		"path": ["configs", "retention.ms"],
		"patch": [
			{"op": "add", "path": "/configs/retention.ms", "value": "5000"},
			{"op": "add", "path": "/configs/cleanup.policy", "value": "delete"},
		],
	}}
}

test_an_empty_policy_can_be_justified if {
	fields := {"labels": {"why": "audit"}, "effective": {"values": {"cleanup.policy": []}}}
	deny := family.deny with input as _keeps(2000, fields)
	deny == set()
}
