package kafka.rules.deletion_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules.deletion as family

_use_params := {"KFK-DEL-002": {"idleForMs": 1000}}

_unused := {"consumers": {}, "writes": {"shop.orders": "2026-11-21T09:59:59Z"}}

_known_use_violation(why) := _use_violation(
	why,
	"stop what reads and writes the topic, wait until it has been idle for 1000 ms, and delete it then",
)

_use_violation(why, fix) := {
	"rule": "KFK-DEL-002",
	"severity": "critical",
	"message": sprintf("topic \"shop.orders\" may be in use, %s", [why]),
	"fix": fix,
	"path": ["topic"],
	"patch": [],
}

_unknown_readers := _use_violation(
	"the cluster's state does not tell which groups read it",
	fixtures.state_fix("consumers"),
)

_unknown_writers := _use_violation(
	"the cluster's state does not tell when it was last written",
	fixtures.state_fix("writes"),
)

test_in_use[note] if {
	some note, tc in {
		"idle for as long as it takes": {"state": {}, "deny": set()},
		"idle for longer": {"state": {"writes": {"shop.orders": "2020-01-01T00:00:00Z"}}, "deny": set()},
		"written a millisecond too late": {
			"state": {"writes": {"shop.orders": "2026-11-21T09:59:59.001Z"}},
			"deny": {_known_use_violation("its latest record is 999 ms old, less than 1000")},
		},
		"written a moment ago, and a bit": {
			"state": {"writes": {"shop.orders": "2026-11-21T09:59:59.0015Z"}},
			"deny": {_known_use_violation("its latest record is 998 ms old, less than 1000")},
		},
		"written by a clock that is ahead": {
			"state": {"writes": {"shop.orders": "2026-11-21T10:00:01Z"}},
			"deny": {_known_use_violation("its latest record is -1000 ms old, less than 1000")},
		},
		"never written": {"state": {"writes": {"shop.orders": null}}, "deny": set()},
		"written at a time that cannot be read": {
			"state": {"writes": {"shop.orders": "today"}},
			"deny": {_unknown_writers},
		},
		"read by groups": {
			"state": {"consumers": {"shop.orders": {
				"b": {"members": 1},
				"a": {"members": 2},
				"gone": {"members": 0},
			}}},
			"deny": {_known_use_violation("groups with members read it: a, b")},
		},
		"read by a group without members": {"state": {"consumers": {"shop.orders": {"gone": {"members": 0}}}}, "deny": set()},
		"read by a group whose members are not known": {
			"state": {"consumers": {"shop.orders": {"a": {"offsets": {}}}}},
			"deny": {_known_use_violation("groups with members read it: a")},
		},
		"another topic is read": {"state": {"consumers": {"shop.baskets": {"a": {"members": 2}}}}, "deny": set()},
	}
	found := family.deny with input as _deletion(_use_params, {"clusterState": object.union(_unused, tc.state)})
	tc.deny == found
}

# What the state does not tell may be there.
test_in_use_is_not_known[note] if {
	some note, tc in {
		"readers": {"remove": ["/consumers"], "deny": {_unknown_readers}},
		"writers": {"remove": ["/writes"], "deny": {_unknown_writers}},
		"writers of this topic": {"remove": ["/writes/shop.orders"], "deny": {_unknown_writers}},
		"both": {"remove": ["/consumers", "/writes"], "deny": {_unknown_readers, _unknown_writers}},
	}
	state := json.remove(object.union(_unused, {"meta": {}}), tc.remove)
	document := object.union(object.remove(_deletion(_use_params, {}), ["clusterState"]), {"clusterState": state})
	found := family.deny with input as document
	tc.deny == found
}

test_in_use_by_replicated_state if {
	document := object.remove(_deletion(_use_params, {}), ["clusterState"])
	known := family.deny with input as document with data.clusters as {"c": _unused}
	known == set()
	unknown := family.deny with input as document with data.clusters as {"d": _unused}
	unknown == {_unknown_readers, _unknown_writers}
}
