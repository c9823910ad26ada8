package kafka.model.topics_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.topics

_alter_from(topic, request) := {
	"operation": "AlterTopic",
	"cluster": "prod-eu",
	"request": object.union({"topic": "shop.orders"}, request),
	"clusterState": {"topics": {"shop.orders": topic}},
}

_alter(request) := _alter_from(fixtures.topic, request)

# What is stored, as rules see it.
_current := {
	"numPartitions": 2,
	"replicationFactor": 3,
	"replicasAssignments": {"0": [1, 2, 3], "1": [2, 3, 1]},
	"configs": {"retention.ms": "5000", "min.insync.replicas": "2"},
	"values": {"retention.ms": 5000, "min.insync.replicas": 2},
	"internal": false,
	"markedForDeletion": false,
	"reassigning": {},
}

_without_labels(states) := {name: object.filter(state, object.keys(_current)) | some name, state in states}

test_alter_states[note] if {
	some note, tc in {
		"nothing": {"request": {}, "requested": {}},
		"configs": {
			"request": {"configs": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "SET", "value": "7"}]}},
			"requested": {
				"configs": {"retention.ms": "7", "min.insync.replicas": "2"},
				"values": {"retention.ms": 7, "min.insync.replicas": 2},
			},
		},
		"partitions": {
			"request": {"numPartitions": 3},
			"requested": {"numPartitions": 3},
		},
		"partitions with their replicas": {
			"request": {"numPartitions": 4, "newAssignments": [[3, 1, 2], [1, 2, 3]]},
			"requested": {
				"numPartitions": 4,
				"replicasAssignments": {"0": [1, 2, 3], "1": [2, 3, 1], "2": [3, 1, 2], "3": [1, 2, 3]},
			},
		},
		"reassignment": {
			"request": {"reassignments": {"0": [4, 5]}},
			"requested": {"replicationFactor": 2, "replicasAssignments": {"0": [4, 5], "1": [2, 3, 1]}},
		},
		"a number of replicas": {
			"request": {"replicationFactor": 2},
			"requested": {"replicationFactor": 2},
		},
		"reassignment of another partition": {
			"request": {"reassignments": {"1": [4, 5]}},
			"requested": {"replicasAssignments": {"0": [1, 2, 3], "1": [4, 5]}},
		},
		"cancelled where nothing moves": {"request": {"reassignments": {"0": null}}, "requested": {}},
	}
	states := object.filter(
		topics.prepared("AlterTopic", _alter(tc.request), {"now": 0, "params": {}}),
		["current", "requested"],
	)
	expected := object.union(object.remove(_current, object.keys(tc.requested)), tc.requested)
	{"current": _current, "requested": expected} == _without_labels(states)
}

# What a change removes is gone; what it removes by default is Kafka's again.
test_alter_removes_overrides[mode] if {
	some mode, change in {
		"incremental": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "DELETE"}]},
		"full": {"mode": "full", "entries": {"min.insync.replicas": "2"}},
		"resolved": {"mode": "resolved", "before": fixtures.topic.configs, "after": {"min.insync.replicas": "2"}},
	}
	prepared := topics.prepared("AlterTopic", _alter({"configs": change}), {"now": 0, "params": {}})
	prepared.requested.configs == {"min.insync.replicas": "2"}
	prepared.requested.values == {"min.insync.replicas": 2}
	prepared.effective.values["retention.ms"] == 604800000
	prepared.effective.values["min.insync.replicas"] == 2
}

# What the topic's labels will be; those that it has where the request says none.
test_alter_labels[note] if {
	some note, tc in {
		"none said": {"request": {}, "labels": {"owner": "payments"}},
		"others": {"request": {"labels": {"dataClass": "personal"}}, "labels": {"dataClass": "personal"}},
		"none any more": {"request": {"labels": {}}, "labels": {}},
		"what its name tells stays": {
			"request": {"labels": {"dataClass": "personal"}},
			"patterns": ["(?P<area>[a-z]+).*"],
			"labels": {"area": "shop", "dataClass": "personal"},
		},
	}
	state := {"clusterState": {"labelPatterns": object.get(tc, "patterns", [])}}
	prepared := topics.prepared("AlterTopic", object.union(_alter(tc.request), state), {"now": 0, "params": {}})
	[tc.labels, tc.labels] == [prepared.labels, prepared.requested.labels]
	prepared.current.labels == {"owner": "payments"}
}

test_alter_remembers_the_request[note] if {
	some note, tc in {
		"nothing": {"request": {}, "requestedConfigs": {}, "generated": true},
		"configs": {
			"request": {"configs": {"mode": "full", "entries": {"a": "1", "b": null}}},
			"requestedConfigs": {"a": "1", "b": null},
			"generated": true,
		},
		"new assignments": {"request": {"newAssignments": [[1]]}, "requestedConfigs": {}, "generated": false},
		"reassignments": {"request": {"reassignments": {"0": [1]}}, "requestedConfigs": {}, "generated": false},
	}
	requested := topics.prepared("AlterTopic", _alter(tc.request), {"now": 0, "params": {}}).requested
	[tc.requestedConfigs, tc.generated] == [requested.requestedConfigs, requested.generatedReplicaAssignments]
}

# Partition 0 moves from 1, 2, 3 to 2, 3, 4.
_moving := object.union(fixtures.topic, {
	"replicasAssignments": {"0": [2, 3, 4, 1], "1": [2, 3, 1]},
	"reassigning": {"0": {"adding": [4], "removing": [1]}},
})

# A topic counts as what it will be once the reassignment is done.
test_replication_factor_during_a_reassignment[note] if {
	some note, tc in {
		"as it goes on": {"topic": _moving, "request": {}, "current": 3, "requested": 3},
		"cancelled: what was added goes, what is there stays": {
			"topic": _moving,
			"request": {"reassignments": {"0": null}},
			"current": 3,
			"requested": 3,
		},
		"replaced by another": {"topic": _moving, "request": {"reassignments": {"0": [5, 6]}}, "current": 3, "requested": 2},
		"a number of replicas, whatever runs": {
			"topic": _moving,
			"request": {"replicationFactor": 5},
			"current": 3,
			"requested": 5,
		},
		"another partition requested": {
			"topic": _moving,
			"request": {"reassignments": {"1": [5, 6]}},
			"current": 3,
			"requested": 3,
		},
		"only growing": {
			"topic": object.union(_moving, {"reassigning": {"0": {"adding": [4], "removing": []}}}),
			"request": {},
			"current": 4,
			"requested": 4,
		},
		"only shrinking": {
			"topic": object.union(_moving, {"reassigning": {"0": {"adding": [], "removing": [4, 1]}}}),
			"request": {},
			"current": 2,
			"requested": 2,
		},
		"of another partition": {
			"topic": object.union(fixtures.topic, {"reassigning": {"1": {"adding": [], "removing": [2]}}}),
			"request": {},
			"current": 3,
			"requested": 3,
		},
	}
	prepared := topics.prepared("AlterTopic", _alter_from(tc.topic, tc.request), {"now": 0, "params": {}})
	[tc.current, tc.requested] == [prepared.current.replicationFactor, prepared.requested.replicationFactor]
}

# Kafka takes a target that keeps all brokers, and takes those away nevertheless that are going.
test_what_is_going_goes[target] if {
	some target, replicas in {[1, 2, 3, 4]: [2, 3, 4], [4, 1, 3, 2, 5]: [4, 3, 2, 5], [1, 2, 3]: [1, 2, 3]}
	document := _alter_from(_moving, {"reassignments": {"0": target}})
	prepared := topics.prepared("AlterTopic", document, {"now": 0, "params": {}})
	prepared.requested.replicasAssignments["0"] == replicas
}

test_cancelling_keeps_the_order_of_what_stays if {
	prepared := topics.prepared(
		"AlterTopic",
		_alter_from(_moving, {"reassignments": {"0": null}}),
		{"now": 0, "params": {}},
	)
	prepared.requested.replicasAssignments == {"0": [2, 3, 1], "1": [2, 3, 1]}
}

_refusal(code, name, message) := {"code": code, "name": name, "message": message}

test_alter_refusals[note] if {
	some note, tc in {
		"nothing wrong": {"request": {"numPartitions": 3}, "refusals": set()},
		"as many as there are": {
			"request": {"numPartitions": 2},
			"refusals": {_refusal(37, "INVALID_PARTITIONS", "Topic already has 2 partition(s).")},
		},
		"fewer": {
			"request": {"numPartitions": 1},
			"refusals": {_refusal(
				37, "INVALID_PARTITIONS",
				"The topic shop.orders currently has 2 partition(s); 1 would not be an increase.",
			)},
		},
		"unknown topic": {
			"request": {"topic": "shop.order"},
			"refusals": {_refusal(
				3, "UNKNOWN_TOPIC_OR_PARTITION",
				"Topic 'shop.order' does not exist in cluster 'prod-eu'.",
			)},
		},
		"what the change itself lacks": {
			"request": {"configs": {"mode": "incremental", "ops": [{"name": "segment.ms", "op": "SET", "value": null}]}},
			"refusals": {_refusal(42, "INVALID_REQUEST", "Null value not supported for : segment.ms")},
		},
		"a value that Kafka refuses": {
			"request": {"configs": {"mode": "full", "entries": {"segment.ms": "0"}}},
			"refusals": {_refusal(
				40, "INVALID_CONFIG",
				"Invalid value 0 for configuration segment.ms: Value must be at least 1",
			)},
		},
	}
	tc.refusals == topics.refusals("AlterTopic", _alter(tc.request))
}

# What a change does not touch refuses nothing: a number, a list and a pair that Kafka would not take today.
test_an_old_invalid_override_refuses_no_other_change[note] if {
	old := {
		"segment.ms": "0", "cleanup.policy": "delete,shred", "retention.bytes": "much",
		"min.compaction.lag.ms": "10", "max.compaction.lag.ms": "5",
	}
	some note, tc in {
		"left in place": {"configs": _change_of("retention.ms", "SET", "5"), "n": 0},
		"removed": {"configs": _change_of("segment.ms", "DELETE", null), "n": 0},
		"mended": {"configs": _change_of("segment.ms", "SET", "5"), "n": 0},
		"as invalid as before": {"configs": _change_of("segment.ms", "SET", "0"), "n": 1},
		"a list": {"configs": _change_of("cleanup.policy", "APPEND", "burn"), "n": 1},
		"one of a pair": {"configs": _change_of("min.compaction.lag.ms", "SET", "11"), "n": 1},
		"one of a pair that is mended": {"configs": _change_of("min.compaction.lag.ms", "SET", "5"), "n": 0},
		"all of it": {"configs": {"mode": "full", "entries": old}, "n": 4},
		"before and after": {
			"configs": {"mode": "resolved", "before": old, "after": object.union(old, {"retention.ms": "5"})},
			"n": 0,
		},
		"no config": {"configs": {"mode": "incremental", "ops": []}, "n": 0},
	}
	topic := object.union(fixtures.topic, {"configs": old})
	tc.n == count(topics.refusals("AlterTopic", _alter_from(topic, {"configs": tc.configs})))
}
