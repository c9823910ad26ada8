package kafka.rules.messages_test

import data.kafka.rules.messages as family

_timed(operation, overrides) := {
	"operation": operation,
	"params": {"KFK-MSG-004": {"limits": {
		"message.timestamp.type": {"allowed": ["CreateTime"]},
		"message.timestamp.before.max.ms": {"min": 100},
		"message.timestamp.after.max.ms": {"min": 10, "max": 50},
	}}},
	"requested": {"values": overrides},
}

_time_violation(name, actual, problem, wanted) := {
	"rule": "KFK-MSG-004",
	"severity": "medium",
	"message": sprintf("%s %v is %s", [name, actual, problem]),
	"fix": sprintf("set %s to %v, or leave it to the cluster", [name, wanted]),
	"path": ["configs", name],
	"patch": [{"op": "remove", "path": concat("", ["/configs/", name])}],
}

_after_denial(actual, problem, wanted) := _time_violation("message.timestamp.after.max.ms", actual, problem, wanted)

_before_denial(actual, problem, wanted) := _time_violation("message.timestamp.before.max.ms", actual, problem, wanted)

test_timestamps[note] if {
	some note, tc in {
		"left to the cluster": {"overrides": {"retention.ms": 1}, "deny": set()},
		"a type that is allowed": {"overrides": {"message.timestamp.type": "CreateTime"}, "deny": set()},
		"a type that is not": {
			"overrides": {"message.timestamp.type": "LogAppendTime"},
			"deny": {_time_violation("message.timestamp.type", "LogAppendTime", "not allowed", "CreateTime")},
		},
		"on the minimum": {"overrides": {"message.timestamp.after.max.ms": 10}, "deny": set()},
		"one below": {
			"overrides": {"message.timestamp.after.max.ms": 9},
			"deny": {_after_denial(9, "below the minimum of 10", 10)},
		},
		"on the maximum": {"overrides": {"message.timestamp.after.max.ms": 50}, "deny": set()},
		"one above": {
			"overrides": {"message.timestamp.after.max.ms": 51},
			"deny": {_after_denial(51, "above the maximum of 50", 50)},
		},
		"no maximum": {"overrides": {"message.timestamp.before.max.ms": 9223372036854775807}, "deny": set()},
		"several": {
			"overrides": {"message.timestamp.before.max.ms": 0, "message.timestamp.after.max.ms": 51},
			"deny": {_before_denial(0, "below the minimum of 100", 100), _after_denial(51, "above the maximum of 50", 50)},
		},
	}
	deny := family.deny with input as _timed("CreateTopic", tc.overrides)
	tc.deny == deny
}

# What is no number lies on no side of a bound.
test_timestamps_bound_of_a_word if {
	params := {"KFK-MSG-004": {"limits": {"message.timestamp.type": {"max": 10}}}}
	prepared := object.remove(_timed("CreateTopic", {"message.timestamp.type": "LogAppendTime"}), ["params"])
	deny := family.deny with input as object.union(prepared, {"params": params})
	deny == set()
}
