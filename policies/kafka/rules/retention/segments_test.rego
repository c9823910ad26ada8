package kafka.rules.retention_test

import data.kafka.rules.retention as family

_rolled(values, fields) := object.union(
	{
		"operation": "CreateTopic",
		"params": {"KFK-RET-005": {}},
		"effective": {"values": object.union(
			{"cleanup.policy": ["delete"], "retention.ms": 100, "segment.ms": 1, "retention.bytes": 2000000, "segment.bytes": 1},
			values,
		)},
	},
	fields,
)

_outlives(rolls, actual, keeps, limit) := {
	"rule": "KFK-RET-005",
	"severity": "medium",
	"message": sprintf(
		"%s %d is above %s %d: records outlive their retention until the segment rolls",
		[rolls, actual, keeps, limit],
	),
	"fix": sprintf("set %s to %d or less", [rolls, limit]),
	"path": ["configs", rolls],
	"patch": [{"op": "add", "path": concat("", ["/configs/", rolls]), "value": format_int(limit, 10)}],
}

# Kafka takes no segment as small as what is to be kept.
_outlives_least(rolls, actual, keeps, limit, least) := object.union(_outlives(rolls, actual, keeps, limit), {
	"fix": sprintf("set %s to %d or more, and %s to %d, the least that it may be", [keeps, least, rolls, least]),
	"patch": [{"op": "add", "path": concat("", ["/configs/", name]), "value": format_int(least, 10)} |
		some name in [keeps, rolls]
	],
})

test_segments[note] if {
	some note, tc in {
		"as long": {"values": {"segment.ms": 100}, "deny": set()},
		"one longer": {"values": {"segment.ms": 101}, "deny": {_outlives("segment.ms", 101, "retention.ms", 100)}},
		"as large": {"values": {"segment.bytes": 2000000}, "deny": set()},
		"one larger": {
			"values": {"segment.bytes": 2000001},
			"deny": {_outlives("segment.bytes", 2000001, "retention.bytes", 2000000)},
		},
		"both": {
			"values": {"segment.ms": 200, "segment.bytes": 3000000},
			"deny": {
				_outlives("segment.ms", 200, "retention.ms", 100),
				_outlives("segment.bytes", 3000000, "retention.bytes", 2000000),
			},
		},
		"kept for ever": {"values": {"segment.ms": 200, "retention.ms": -1}, "deny": set()},
		"any number of bytes": {"values": {"segment.bytes": 3000000, "retention.bytes": -1}, "deny": set()},
		"nothing is kept": {
			"values": {"retention.ms": 0},
			"deny": {_outlives_least("segment.ms", 1, "retention.ms", 0, 1)},
		},
		"least segment": {
			"values": {"segment.bytes": 1048576, "retention.bytes": 1048576},
			"deny": set(),
		},
		"no less than the least segment": {
			"values": {"segment.bytes": 1048577, "retention.bytes": 1048576},
			"deny": {_outlives("segment.bytes", 1048577, "retention.bytes", 1048576)},
		},
		"less than the least segment": {
			"values": {"segment.bytes": 1073741824, "retention.bytes": 1048575},
			"deny": {_outlives_least("segment.bytes", 1073741824, "retention.bytes", 1048575, 1048576)},
		},
		"compacted only": {"values": {"segment.ms": 200, "cleanup.policy": ["compact"]}, "deny": set()},
		"never deleted": {"values": {"segment.ms": 200, "cleanup.policy": []}, "deny": set()},
	}
	deny := family.deny with input as _rolled(tc.values, {})
	tc.deny == deny
}

# What other rules have for the least is the least here too, so that what one of them proposes breaks none.
test_segments_with_what_others_propose[note] if {
	some note, tc in {
		"segments": {"min": {"KFK-RET-006": {"min": {"segment.ms": 600}}}, "kept": "600", "rolled": "600"},
		"retention alone": {"min": {"KFK-RET-001": {"min": 3600}}, "kept": null, "rolled": "100"},
		"both": {
			"min": {"KFK-RET-001": {"min": 3600}, "KFK-RET-006": {"min": {"segment.ms": 600}}},
			"kept": "3600",
			"rolled": "600",
		},
	}
	params := object.union({"KFK-RET-005": {}}, tc.min)
	deny := family.deny with input as object.union(_rolled({"segment.ms": 700}, {}), {"params": params})
	values := {operation.path: operation.value |
		some violation in deny
		violation.rule == "KFK-RET-005"
		some operation in violation.patch
	}
	values == {path: value |
		some path, value in {"/configs/retention.ms": tc.kept, "/configs/segment.ms": tc.rolled}
		value != null
	}
}

test_segments_disabled if {
	prepared := object.remove(_rolled({"segment.ms": 101}, {}), ["params"])
	deny := family.deny with input as object.union(prepared, {"params": {}})
	deny == set()
}
