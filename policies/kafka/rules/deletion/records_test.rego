package kafka.rules.deletion_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules.deletion as family

_records(offsets, consumers, fields) := _deletion(
	{"KFK-DEL-004": {"groups": ["shop.*", "risk"]}},
	object.union(
		{
			"operation": "DeleteRecords",
			"deletedMessageOffsets": offsets,
			"clusterState": {"consumers": {"shop.orders": consumers}},
		},
		fields,
	),
)

_unread(partition, end, why) := _unread_violation(partition, end, why, concat(", ", [
	sprintf("wait until the group has committed %s", [end]),
	"delete up to what it has committed",
	"or delete the group's offsets if it is gone",
]))

_unread_to_the_end(partition, why, committed) := _unread_violation(partition, "the high watermark", why, concat(" ", [
	$"name the offset {committed} or a lower one instead of -1, since more may be written at any time,",
	"or delete the group's offsets if it is gone",
]))

_unread_violation(partition, end, why, fix) := {
	"rule": "KFK-DEL-004",
	"severity": "critical",
	"message": sprintf("records of partition %s below %s may be unread, %s", [partition, end, why]),
	"fix": fix,
	"path": ["deletedMessageOffsets", partition],
	"patch": [],
}

test_records[note] if {
	some note, tc in {
		"up to what is committed": {"offsets": {"0": 10}, "consumers": {"shop.a": {"offsets": {"0": 10}}}, "deny": set()},
		"one beyond": {
			"offsets": {"0": 11},
			"consumers": {"shop.a": {"offsets": {"0": 10}}},
			"deny": {_unread("0", "offset 11", "group shop.a has committed 10")},
		},
		"beyond the slowest of three": {
			"offsets": {"0": 11},
			"consumers": {
				"shop.a": {"offsets": {"0": 12}},
				"shop.b": {"offsets": {"0": 9}},
				"risk": {"offsets": {"0": 10}},
			},
			"deny": {_unread("0", "offset 11", "group shop.b has committed 9")},
		},
		"to the high watermark": {
			"offsets": {"0": -1},
			"consumers": {"risk": {"offsets": {"0": 1000}}},
			"deny": {_unread_to_the_end("0", "group risk has committed 1000", 1000)},
		},
		"to the high watermark, which nobody reads": {"offsets": {"0": -1}, "consumers": {}, "deny": set()},
		"beyond a group that has committed nothing there": {
			"offsets": {"0": 1},
			"consumers": {"shop.a": {"offsets": {"1": 10}}},
			"deny": {_unread("0", "offset 1", "group shop.a has committed 0")},
		},
		"nothing, before a group that has committed nothing": {
			"offsets": {"0": 0},
			"consumers": {"shop.a": {}},
			"deny": set(),
		},
		"beyond a group that does not count": {
			"offsets": {"0": 11},
			"consumers": {"shop": {"offsets": {"0": 1}}, "risk2": {"offsets": {"0": 1}}},
			"deny": set(),
		},
		"two partitions, one unread": {
			"offsets": {"0": 5, "1": 5},
			"consumers": {"shop.a": {"offsets": {"0": 5, "1": 4}}},
			"deny": {_unread("1", "offset 5", "group shop.a has committed 4")},
		},
	}
	found := family.deny with input as _records(tc.offsets, tc.consumers, {})
	tc.deny == found
}

test_records_of_a_topic_that_nobody_reads if {
	found := family.deny with input as _records({"0": 5}, {"shop.a": {}}, {"topic": "shop.baskets"})
	found == set()
}

test_records_where_groups_are_not_known if {
	document := object.remove(_records({"0": 0, "1": -1}, {}, {}), ["clusterState"])
	found := family.deny with input as object.union(document, {"clusterState": {"meta": {}}})
	why := "the cluster's state does not tell which groups read it"
	found == {
		_unread_violation("0", "offset 0", why, fixtures.state_fix("consumers")),
		_unread_violation("1", "the high watermark", why, fixtures.state_fix("consumers")),
	}
}
