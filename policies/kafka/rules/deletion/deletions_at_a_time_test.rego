package kafka.rules.deletion_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules.deletion as family

_many_params := {"KFK-DEL-003": {"maxCount": 10, "maxPercent": 5}}

_many(what) := _many_violation(what, "delete fewer topics at a time, and look at each before the next")

_many_violation(what, fix) := {
	"rule": "KFK-DEL-003",
	"severity": "critical",
	"message": what,
	"fix": fix,
	"path": ["topic"],
	"patch": [],
}

_uncounted_topics := _many_violation(
	"the cluster's state does not tell how many topics there are",
	fixtures.state_fix("totals"),
)

_uncounted_hour := _many_violation(
	"the cluster's state does not tell how many topics were deleted in the last hour",
	fixtures.state_fix("deletions"),
)

test_many[note] if {
	some note, tc in {
		"as many as may be": {"request": 4, "hour": 6, "topics": 200, "deny": set()},
		"one more, by the request": {
			"request": 5, "hour": 6, "topics": 1000,
			"deny": {_many("11 topics would be deleted within an hour, more than 10")},
		},
		"one more, by the hour": {
			"request": 1, "hour": 10, "topics": 1000,
			"deny": {_many("11 topics would be deleted within an hour, more than 10")},
		},
		"a share too large by one": {
			"request": 10, "hour": 0, "topics": 199,
			"deny": {_many("10 of 199 topics would be deleted within an hour, more than 5 %")},
		},
		"both": {
			"request": 11, "hour": 0, "topics": 20,
			"deny": {
				_many("11 topics would be deleted within an hour, more than 10"),
				_many("11 of 20 topics would be deleted within an hour, more than 5 %"),
			},
		},
		"one of few": {"request": 1, "hour": 0, "topics": 2, "deny": set()},
		"as large a share as may be, one by one": {"request": 1, "hour": 4, "topics": 96, "deny": set()},
		"a share too large by one, one by one": {
			"request": 1, "hour": 5, "topics": 95,
			"deny": {_many("6 of 100 topics would be deleted within an hour, more than 5 %")},
		},
		"two of few": {
			"request": 1, "hour": 1, "topics": 1,
			"deny": {_many("2 of 2 topics would be deleted within an hour, more than 5 %")},
		},
		"no topics at all": {"request": 1, "hour": 0, "topics": 0, "deny": {_uncounted_topics}},
		"a total that is nothing": {"request": 1, "hour": 0, "topics": null, "deny": {_uncounted_topics}},
		"a total that is not a number": {"request": 1, "hour": 0, "topics": "9", "deny": {_uncounted_topics}},
		"a count that is not a number": {
			"request": 11, "hour": "0", "topics": 1000,
			"deny": {_many("11 topics would be deleted within an hour, more than 10"), _uncounted_hour},
		},
	}
	state := {"deletions": {"lastHour": tc.hour}, "totals": {"topics": tc.topics}}
	found := family.deny with input as _deletion(_many_params, {"topicsInRequest": tc.request, "clusterState": state})
	tc.deny == found
}

# What is under way elsewhere counts with the hour, and items before with the request.
test_many_with_what_is_under_way[note] if {
	some note, tc in {
		"as many as may be": {"before": 3, "elsewhere": 2, "request": 4, "deny": set()},
		"one more elsewhere": {
			"before": 3, "elsewhere": 3, "request": 4,
			"deny": {_many("11 topics would be deleted within an hour, more than 10")},
		},
		"one more before": {
			"before": 4, "elsewhere": 2, "request": 4,
			"deny": {_many("11 topics would be deleted within an hour, more than 10")},
		},
		"one more in the request": {
			"before": 3, "elsewhere": 2, "request": 5,
			"deny": {_many("11 topics would be deleted within an hour, more than 10")},
		},
		"nothing": {"before": 0, "elsewhere": 0, "request": 6, "deny": set()},
		"of topics that it still shows": {
			"before": 1, "elsewhere": 1, "request": 2, "topics": 96,
			"deny": {_many("7 of 100 topics would be deleted within an hour, more than 5 %")},
		},
	}
	found := family.deny with input as _deletion(_many_params, {
		"topicsInRequest": tc.request,
		"clusterState": {"deletions": {"lastHour": 4}, "totals": {"topics": object.get(tc, "topics", 1000)}},
		"pending": {"/request/deletions": tc.before, "/deletions/lastHour": tc.before + tc.elsewhere},
	})
	tc.deny == found
}

test_many_is_not_known[note] if {
	some note, tc in {
		"nothing": {"state": {"meta": {}}, "deny": {_uncounted_topics, _uncounted_hour}},
		"the hour": {"state": {"totals": {"topics": 100}}, "deny": {_uncounted_hour}},
		"the total": {"state": {"deletions": {"lastHour": 0}}, "deny": {_uncounted_topics}},
	}
	found := family.deny with input as _deletion(_many_params, {"clusterState": tc.state})
	tc.deny == found
}

# What the request itself names is known where the hour is not.
test_many_in_the_request_alone[note] if {
	some note, tc in {
		"as many as may be": {"request": 10, "topics": 200, "deny": set()},
		"one too many": {
			"request": 11, "topics": 1000,
			"deny": {_many("11 topics would be deleted within an hour, more than 10")},
		},
		"a share too large by one": {
			"request": 10, "topics": 199,
			"deny": {_many("10 of 199 topics would be deleted within an hour, more than 5 %")},
		},
		"one of few": {"request": 1, "topics": 2, "deny": set()},
	}
	state := {"totals": {"topics": tc.topics}}
	found := family.deny with input as _deletion(_many_params, {"topicsInRequest": tc.request, "clusterState": state})
	found == tc.deny | {_uncounted_hour}
}

test_charge[operation] if {
	some operation, paths in {
		"DeleteTopic": {["request", "deletions"], ["deletions", "lastHour"]},
		"DeleteRecords": set(),
	}
	charges := family.charge with input as {"operation": operation, "topic": "shop.orders"}
	paths == {path | some [path, 1] in charges}
}
