package kafka.changes_test

import data.kafka.changes
import data.kafka.configs

_topic := {
	"numPartitions": 2,
	"replicasAssignments": {"0": [1, 2, 3], "1": [2, 3, 1]},
	"reassigning": {},
}

_prepared(fields) := object.union(
	{
		"operation": "AlterTopic",
		"clusterState": {},
		"current": _topic,
		"requested": _topic,
		"change": configs.resolved("topic", {}, {"mode": "incremental", "ops": []}),
		"effective": {"values": data.catalog.topic.defaults.values},
	},
	fields,
)

_changes(document) := result if {
	result := changes.each with input as document
}

_moves(document) := result if {
	result := changes.moves with input as document
}

test_all_of_an_alteration if {
	change := configs.resolved("topic", {"retention.ms": "5"}, {"mode": "full", "entries": {"segment.ms": "5"}})
	document := _prepared({
		"change": change,
		"effective": {"values": configs.effective("topic", {"clusterState": {}}, change.after)},
		"requested": {"numPartitions": 3, "replicasAssignments": {"1": [4], "2": [1, 2, 3]}},
	})
	_changes(document) == {
		"retention.ms": _goes(5, 604800000, ["rises"], "cost"),
		"segment.ms": _goes(604800000, 5, ["falls"], "cost"),
		"numPartitions": _goes(2, 3, ["rises"], "compatibility"),
		"replicationFactor": _goes(3, 1, ["falls"], "durability"),
		"replicasAssignments": _goes(
			_topic.replicasAssignments,
			{"0": [1, 2, 3], "1": [4], "2": [1, 2, 3]},
			["changes"],
			"cost",
		),
	}
}

test_all_of_nothing if {
	_changes(_prepared({})) == {}
	_changes({"operation": "AuditTopic"}) == {}
}

test_all_of_deletions if {
	_changes({"operation": "DeleteTopic", "topic": "t"}) == {"topic": _goes("t", null, ["changes"], "dataLoss")}
	_changes({"operation": "DeleteRecords", "deletedMessageOffsets": {"0": 5}}) == {"deletedMessageOffsets": _goes(
		null,
		{"0": 5},
		["changes"],
		"dataLoss",
	)}
}

test_all_of_other_resources[operation] if {
	some operation, tc in {
		"AlterBroker": {
			"kind": "broker",
			"name": "min.insync.replicas",
			"row": _goes(1, 2, ["rises"], "compatibility"),
		},
		"AlterConfig": {
			"kind": "group",
			"name": "consumer.session.timeout.ms",
			"row": _goes(45000, 2, ["falls"], "compatibility"),
		},
	}
	change := configs.resolved(tc.kind, {}, {"mode": "full", "entries": {tc.name: "2"}})
	document := {
		"operation": operation,
		"clusterState": {"brokers": {}},
		"resource": {"type": "group", "name": "g"},
		"change": change,
		"effective": {"values": configs.effective(tc.kind, {"clusterState": {"brokers": {}}}, change.after)},
	}
	{tc.name: tc.row} == _changes(document)
}

# Below a broker's own configs lies what its file has, where the state tells one from the other.
test_all_of_a_brokers_own[note] if {
	_deletes := {"mode": "incremental", "ops": [{"name": "log.cleaner.threads", "op": "DELETE"}]}
	_sets := {"mode": "incremental", "ops": [{"name": "log.cleaner.threads", "op": "SET", "value": "4"}]}
	some note, tc in {
		"set over the file": {"own": {}, "change": _sets, "row": [2, 4]},
		"set over its own": {"own": {"log.cleaner.threads": "3"}, "change": _sets, "row": [3, 4]},
		"back to the file": {"own": {"log.cleaner.threads": "3"}, "change": _deletes, "row": [3, 2]},
		"nothing of its own": {"own": {}, "change": _deletes, "row": [2, 2]},
	}
	broker := {
		"configs": object.union({"log.cleaner.threads": "2"}, tc.own),
		"dynamicConfigs": tc.own,
		"fallbackConfigs": {"log.cleaner.threads": "2"},
	}
	document := {
		"operation": "AlterBroker",
		"cluster": "c",
		"request": {"broker": "1", "configs": tc.change},
		"clusterState": {"brokers": {"1": broker}},
	}
	found := _changes(data.kafka.model.brokers.prepared(document, {"now": 1, "params": {}}))
	{name: [row.before, row.after] | some name, row in found} == {"log.cleaner.threads": tc.row}
}

test_replication_factor[note] if {
	some note, tc in {
		"of the partition that will have the fewest": {"after": {"0": [1, 2], "1": [2]}, "sizes": [3, 1]},
		"of the one that changes": {"after": {"1": [2, 3]}, "sizes": [3, 2]},
		"falls, though another rises": {"after": {"0": [1, 2, 3, 4], "1": [2, 3]}, "sizes": [3, 2]},
		"falls, though another rises and has fewer": {"after": {"1": [2, 3], "2": [1, 2]}, "sizes": [3, 2]},
		"rises": {"after": {"0": [1, 2, 3, 4]}, "sizes": [3, 4]},
		"stays": {"after": {"0": [4, 5, 6]}, "sizes": []},
	}
	with_one := {"replicasAssignments": {"2": [1]}}
	result := _changes(_prepared({"current": with_one, "requested": {"replicasAssignments": tc.after}}))
	tc.sizes == [size | some size in [result.replicationFactor.before, result.replicationFactor.after]]
}

# Of a number that is wanted, the partition with the most replicas: fewer for any of them is fewer.
test_wanted_replication_factor[note] if {
	uneven := {"0": [1, 2], "1": [2, 3, 1]}
	leaving := {"replicasAssignments": uneven, "reassigning": {"1": {"adding": [], "removing": [1]}}}
	some note, tc in {
		"fewer": {"current": {}, "wanted": 2, "sizes": [3, 2]},
		"more": {"current": {}, "wanted": 4, "sizes": [3, 4]},
		"as many": {"current": {}, "wanted": 3, "sizes": []},
		"fewer for one of them": {"current": {"replicasAssignments": uneven}, "wanted": 2, "sizes": [3, 2]},
		"more for one of them": {"current": {"replicasAssignments": uneven}, "wanted": 3, "sizes": []},
		"what is going does not count": {"current": leaving, "wanted": 3, "sizes": [2, 3]},
	}
	request := {"request": {"replicationFactor": tc.wanted}}
	result := _changes(_prepared(object.union(request, {"current": tc.current, "requested": tc.current})))
	tc.sizes == [size | some size in [result.replicationFactor.before, result.replicationFactor.after]]
}

test_moves[note] if {
	some note, tc in {
		"none": {"fields": {}, "moves": {}},
		"one": {
			"fields": {"requested": {"replicasAssignments": {"1": [4]}}},
			"moves": {"1": {"before": [2, 3, 1], "after": [4]}},
		},
		"a new partition": {"fields": {"requested": {"replicasAssignments": {"2": [4]}}}, "moves": {}},
		"while another runs": {
			"fields": {
				"current": {"reassigning": {"0": {"adding": [3], "removing": [1]}}},
				"requested": {"replicasAssignments": {"0": [4]}},
			},
			"moves": {"0": {"before": [2, 3], "after": [4]}},
		},
		"to where another leads already": {
			"fields": {
				"current": {"reassigning": {"0": {"adding": [3], "removing": [1]}}},
				"requested": {"replicasAssignments": {"0": [2, 3]}},
			},
			"moves": {},
		},
		"left to one that runs": {
			"fields": {"current": {"reassigning": {"0": {"adding": [3], "removing": [1]}}}},
			"moves": {},
		},
		"beside one that runs": {
			"fields": {
				"current": {"reassigning": {"0": {"adding": [3], "removing": [1]}}},
				"requested": {"replicasAssignments": {"1": [4]}},
			},
			"moves": {"1": {"before": [2, 3, 1], "after": [4]}},
		},
	}
	tc.moves == _moves(_prepared(tc.fields))
}

# What a config goes from or to without an override: the cluster's default, else Kafka's, else nothing.
test_defaults[note] if {
	some note, tc in {
		"of a topic, named and not there before or after": {
			"operation": "AlterTopic",
			"kind": "topic",
			"change": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "DELETE"}]},
			"rows": {"retention.ms": _goes(70, 70, [], "noOp")},
		},
		"of a topic": {
			"operation": "AlterTopic",
			"kind": "topic",
			"change": {"mode": "full", "entries": {"retention.ms": "80", "segment.ms": "604800000"}},
			"rows": {
				"retention.ms": _goes(70, 80, ["rises"], "cost"),
				"segment.ms": _goes(604800000, 604800000, [], "noOp"),
			},
		},
		"of a broker": {
			"operation": "AlterBroker",
			"kind": "broker",
			"change": {"mode": "full", "entries": {"log.retention.ms": "80", "min.insync.replicas": "2", "log.roll.ms": "5"}},
			"rows": {
				"log.retention.ms": _goes(90, 80, ["falls"], "dataLoss"),
				"min.insync.replicas": _goes(1, 2, ["rises"], "compatibility"),
				"log.roll.ms": _goes(null, 5, ["changes"], "cost"),
			},
		},
	}
	state := {
		"defaults": {"retention.ms": "70"},
		"brokers": {"": {"configs": {"log.retention.ms": "90"}}},
	}
	change := configs.resolved(tc.kind, {}, tc.change)
	document := {
		"operation": tc.operation,
		"clusterState": state,
		"change": change,
		"effective": {"values": configs.effective(tc.kind, {"clusterState": state}, change.after)},
	}
	tc.rows == _changes(document)
}
