package kafka.rules.retention_test

import data.kafka.rules.retention as family

_segmented(operation, values) := {
	"operation": operation,
	"params": {"KFK-RET-006": {"min": {"segment.bytes": 100, "segment.ms": 10}}},
	"effective": {"values": values},
}

_too_small(name, actual, limit) := {
	"rule": "KFK-RET-006",
	"severity": "medium",
	"message": sprintf("%s %d is below the minimum of %d", [name, actual, limit]),
	"fix": sprintf("set %s to %d", [name, limit]),
	"path": ["configs", name],
	"patch": [{"op": "add", "path": concat("", ["/configs/", name]), "value": format_int(limit, 10)}],
}

test_segment_floor[note] if {
	some note, tc in {
		"on both": {"values": {"segment.bytes": 100, "segment.ms": 10}, "deny": set()},
		"one byte below": {
			"values": {"segment.bytes": 99, "segment.ms": 10},
			"deny": {_too_small("segment.bytes", 99, 100)},
		},
		"one millisecond below": {
			"values": {"segment.bytes": 100, "segment.ms": 9},
			"deny": {_too_small("segment.ms", 9, 10)},
		},
		"below both": {
			"values": {"segment.bytes": 1, "segment.ms": 1},
			"deny": {_too_small("segment.bytes", 1, 100), _too_small("segment.ms", 1, 10)},
		},
	}
	deny := family.deny with input as _segmented("CreateTopic", tc.values)
	tc.deny == deny
}
