package kafka.rules.cleanup_test

import data.kafka.rules.cleanup as family

_lagging(operation, class, values) := {
	"operation": operation,
	"params": {"KFK-CMP-003": {"max": 1000, "labelKey": "dataClass", "classes": ["personal"]}},
	"labels": {"dataClass": class},
	"effective": {"values": object.union({"cleanup.policy": ["compact"]}, values)},
}

_lag_violation(name, actual, limit, bound) := {
	"rule": "KFK-CMP-003",
	"severity": "medium",
	"message": sprintf("%s %d is above %d, %s", [name, actual, limit, bound]),
	"fix": sprintf("set %s to %d or less", [name, limit]),
	"path": ["configs", name],
	"patch": [{"op": "add", "path": concat("", ["/configs/", name]), "value": format_int(limit, 10)}],
}

_crossed(least, most) := _lag_violation("min.compaction.lag.ms", least, most, "the topic's max.compaction.lag.ms")

_longest := "the longest where dataClass is personal"

_too_late_at_least(least) := _lag_violation("min.compaction.lag.ms", least, 1000, _longest)

_too_late(actual) := _lag_violation("max.compaction.lag.ms", actual, 1000, _longest)

test_lag[note] if {
	some note, tc in {
		"one below the other": {"class": "open", "min": 9, "max": 10, "deny": set()},
		"equal": {"class": "open", "min": 10, "max": 10, "deny": set()},
		"crossed": {"class": "open", "min": 11, "max": 10, "deny": {_crossed(11, 10)}},
		"any lag of other data": {"class": "open", "min": 0, "max": 9223372036854775807, "deny": set()},
		"any lag of data of no class": {"class": null, "min": 0, "max": 1001, "deny": set()},
		"personal, on the bound": {"class": "personal", "min": 0, "max": 1000, "deny": set()},
		"personal, one above": {"class": "personal", "min": 0, "max": 1001, "deny": {_too_late(1001)}},
		"personal, with blanks around": {"class": " personal\t", "min": 0, "max": 1001, "deny": {_too_late(1001)}},
		"personal, crossed as well": {
			"class": "personal",
			"min": 1002,
			"max": 1001,
			"deny": {_too_late_at_least(1002), _too_late(1001)},
		},
		"personal, with no longest of its own": {
			"class": "personal",
			"min": 1001,
			"max": 9223372036854775807,
			"deny": {_too_late_at_least(1001), _too_late(9223372036854775807)},
		},
		"personal, of whom at least all": {
			"class": "personal", "min": 1000, "max": 1001,
			"deny": {_too_late(1001)},
		},
		"personal, crossed at the bound": {
			"class": "personal", "min": 1001, "max": 1000,
			"deny": {_crossed(1001, 1000)},
		},
		"personal, crossed below the bound": {
			"class": "personal", "min": 11, "max": 10,
			"deny": {_crossed(11, 10)},
		},
	}
	values := {"min.compaction.lag.ms": tc.min, "max.compaction.lag.ms": tc.max}
	deny := family.deny with input as _lagging("CreateTopic", tc.class, values)
	tc.deny == deny
}

test_lag_only_where_there_is_compaction[note] if {
	some note, tc in {
		"compact": {"policy": ["compact"], "n": 1},
		"both": {"policy": ["compact", "delete"], "n": 1},
		"delete": {"policy": ["delete"], "n": 0},
	}
	values := {"cleanup.policy": tc.policy, "min.compaction.lag.ms": 2, "max.compaction.lag.ms": 1}
	deny := family.deny with input as _lagging("CreateTopic", "open", values)
	paths := {0: [], 1: [["configs", "min.compaction.lag.ms"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}

test_lag_disabled if {
	values := {"min.compaction.lag.ms": 2, "max.compaction.lag.ms": 1}
	prepared := object.remove(_lagging("CreateTopic", "open", values), ["params"])
	deny := family.deny with input as object.union(prepared, {"params": {}})
	deny == set()
}
