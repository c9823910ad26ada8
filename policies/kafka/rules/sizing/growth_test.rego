package kafka.rules.sizing_test

import data.kafka.rules.sizing as family

_steps := {"maxIncrease": 10, "maxFactor": 2.5}

_step_violation(before, after, problem, limit) := {
	"rule": "KFK-SIZ-005",
	"severity": "medium",
	"message": sprintf("the request would take the topic from %d to %d partitions, %s", [before, after, problem]),
	"fix": sprintf("ask for %d partitions or fewer at once", [limit]),
	"path": ["numPartitions"],
	"patch": [],
}

_factor_text := "more than 2.5 times as many"

_number_text := "which adds more than 10"

test_growth[note] if {
	some note, tc in {
		"just the factor": {"before": 2, "after": 5, "deny": set()},
		"above the factor": {"before": 2, "after": 6, "deny": {_step_violation(2, 6, _factor_text, 5)}},
		"above the factor, rounded down": {"before": 3, "after": 8, "deny": {_step_violation(3, 8, _factor_text, 7)}},
		"just the number": {"before": 20, "after": 30, "deny": set()},
		"above the number": {"before": 20, "after": 31, "deny": {_step_violation(20, 31, _number_text, 30)}},
		"above both": {"before": 4, "after": 15, "deny": {_step_violation(4, 15, _number_text, 10)}},
		"one digit too many": {"before": 10, "after": 100, "deny": {_step_violation(10, 100, _number_text, 20)}},
		"as many as before": {"before": 20, "after": 20, "deny": set()},
		"fewer, which Kafka refuses": {"before": 20, "after": 3, "deny": set()},
	}
	deny := family.deny with input as _growing("KFK-SIZ-005", _steps, _sized(tc.before, 3), _sized(tc.after, 3), {})
	tc.deny == deny
}

# A topic of one partition is not held to it for ever.
test_growth_by_one[note] if {
	some note, tc in {
		"one more": {"after": 2, "deny": set()},
		"two more": {"after": 3, "deny": {_step_violation(1, 3, "more than 1.5 times as many", 2)}},
	}
	params := {"maxIncrease": 10, "maxFactor": 1.5}
	deny := family.deny with input as _growing("KFK-SIZ-005", params, _sized(1, 3), _sized(tc.after, 3), {})
	tc.deny == deny
}

# 2.1 times 30 is 63, though not in binary.
test_growth_by_an_exact_factor[note] if {
	some note, tc in {"just the factor": {"after": 63, "count": 0}, "above the factor": {"after": 64, "count": 1}}
	params := {"maxIncrease": 100, "maxFactor": 2.1}
	deny := family.deny with input as _growing("KFK-SIZ-005", params, _sized(30, 3), _sized(tc.after, 3), {})
	tc.count == count(deny)
}
