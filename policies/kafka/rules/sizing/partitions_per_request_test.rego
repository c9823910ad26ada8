package kafka.rules.sizing_test

import data.kafka.rules.sizing as family

_request_violation(actual) := {
	"rule": "KFK-SIZ-007",
	"severity": "medium",
	"message": sprintf("%d new partitions in one request are above the maximum of 5", [actual]),
	"fix": "create the topic with 5 partitions or fewer, and add the others in later requests",
	"path": ["numPartitions"],
	"patch": [],
}

test_partitions_per_request[note] if {
	some note, tc in {
		"new, at the limit": {"before": null, "after": 5, "deny": set()},
		"new, one above": {"before": null, "after": 6, "deny": {_request_violation(6)}},
		"grown, at the limit": {"before": _sized(7, 3), "after": 12, "deny": set()},
		"grown, one above": {"before": _sized(7, 3), "after": 13, "deny": {_request_violation(6)}},
		"not grown": {"before": _sized(70, 3), "after": 70, "deny": set()},
	}
	deny := family.deny with input as _growing(
		"KFK-SIZ-007",
		{"maxPerRequest": 5},
		tc.before,
		_sized(tc.after, 3),
		{},
	)
	tc.deny == deny
}

# What the items before have used up is nothing to an item that adds none.
test_request_that_is_full[note] if {
	some note, tc in {
		"one more": {"after": 8, "deny": {_request_violation(7)}},
		"none more": {"after": 7, "deny": set()},
		"fewer": {"after": 6, "deny": set()},
	}
	document := _growing("KFK-SIZ-007", {"maxPerRequest": 5}, _sized(7, 3), _sized(tc.after, 3), {})
	deny := family.deny with input as object.union(document, {"pending": {"/request/partitions": 6}})
	tc.deny == deny
}

test_charge_of_a_request[operation] if {
	some operation, charged in {"CreateTopic": {2}, "AlterTopic": {2}, "AuditTopic": set()}
	charged == {more | some [["request", "partitions"], more] in _charges(operation)}
}
