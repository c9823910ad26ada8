package kafka.rules.messages_test

import data.kafka.rules.messages as family

_levelled(operation, codec, overrides) := {
	"operation": operation,
	"params": {"KFK-MSG-003": {"codecs": {"compression.gzip.level": "gzip", "compression.zstd.level": "zstd"}}},
	"requested": {"values": overrides},
	"effective": {"values": {"compression.type": codec, "compression.gzip.level": -1}},
}

_level_violation(name, actual, used, codec) := {
	"rule": "KFK-MSG-003",
	"severity": "low",
	"message": sprintf("%s %d has no effect: compression.type is %s", [name, actual, used]),
	"fix": $"remove {name}, which only compression.type {codec} reads",
	"path": ["configs", name],
	"patch": [{"op": "remove", "path": concat("", ["/configs/", name])}],
}

_gzip_level(actual, used) := _level_violation("compression.gzip.level", actual, used, "gzip")

_zstd_level(actual, used) := _level_violation("compression.zstd.level", actual, used, "zstd")

test_levels[note] if {
	some note, tc in {
		"none set": {"codec": "producer", "overrides": {"retention.ms": 1}, "deny": set()},
		"of the codec": {"codec": "zstd", "overrides": {"compression.zstd.level": 3}, "deny": set()},
		"of another": {
			"codec": "zstd",
			"overrides": {"compression.gzip.level": 9},
			"deny": {_gzip_level(9, "zstd")},
		},
		"the producer's own": {
			"codec": "producer",
			"overrides": {"compression.gzip.level": 9, "compression.zstd.level": 0},
			"deny": {_gzip_level(9, "producer"), _zstd_level(0, "producer")},
		},
	}
	deny := family.deny with input as _levelled("CreateTopic", tc.codec, tc.overrides)
	tc.deny == deny
}
