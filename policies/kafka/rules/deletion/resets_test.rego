package kafka.rules.deletion_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules.deletion as family

_committed := {"shop.a": {"members": 0, "offsets": {"orders": {"0": 100, "1": 50}, "refunds": {"0": 7}}}}

_reset(group, moves, state) := deny if {
	deny := family.deny with input as {
		"operation": "AlterGroupOffsets",
		"params": {"KFK-DEL-007": {"groups": ["shop.*", "risk"], "maxRecords": 10}},
		"request": {"group": group, "offsets": moves},
		"clusterState": state,
	}
}

_too_far(message, fix) := {
	"rule": "KFK-DEL-007",
	"severity": "high",
	"message": message,
	"fix": fix,
	"path": ["offsets"],
	"patch": [],
}

_far(again, skipped) := _too_far(
	sprintf(
		"group \"shop.a\" would process %d records again and skip %d, together more than 10",
		[again, skipped],
	),
	"reset by at most 10 records, or get a waiver",
)

_move(topic, partition, offset) := {"topic": topic, "partition": partition, "offset": offset}

test_resets[note] if {
	some note, tc in {
		"as far back as allowed": {"moves": [_move("orders", 0, 90)], "deny": set()},
		"one too far back": {"moves": [_move("orders", 0, 89)], "deny": {_far(11, 0)}},
		"as far forward as allowed": {"moves": [_move("orders", 0, 110)], "deny": set()},
		"one too far forward": {"moves": [_move("orders", 0, 111)], "deny": {_far(0, 11)}},
		"where it is": {"moves": [_move("orders", 0, 100), _move("orders", 1, 50)], "deny": set()},
		"two partitions, each near": {"moves": [_move("orders", 0, 94), _move("orders", 1, 44)], "deny": {_far(12, 0)}},
		"two topics, each near": {"moves": [_move("orders", 0, 94), _move("refunds", 0, 1)], "deny": {_far(12, 0)}},
		"back here, forward there": {"moves": [_move("orders", 0, 94), _move("orders", 1, 55)], "deny": {_far(6, 5)}},
		"the same move twice": {"moves": [_move("orders", 0, 94), _move("orders", 0, 94)], "deny": {_far(12, 0)}},
		"a partition without anything committed": {"moves": [_move("orders", 2, 1000)], "deny": set()},
		"a topic without anything committed": {"moves": [_move("payments", 0, 1000)], "deny": set()},
		"no offset": {"moves": [], "deny": set()},
	}
	tc.deny == _reset("shop.a", tc.moves, {"groups": _committed})
}

test_resets_of_a_group_that_is_not_there if {
	set() == _reset("risk", [_move("orders", 0, 1000)], {"groups": _committed})
}

test_resets_of_groups_that_do_not_count if {
	moves := [_move("orders", 0, 1000)]
	set() == _reset("shop", moves, {"groups": {"shop": _committed["shop.a"]}})
	set() == _reset("risk2", moves, {})
}

test_resets_in_a_state_without_groups if {
	message := concat("", [
		"group \"risk\" may go over more than 10 records, ",
		"the cluster's state does not tell what its groups have committed",
	])
	{_too_far(message, fixtures.state_fix("groups"))} == _reset("risk", [_move("orders", 0, 1)], {})
}
