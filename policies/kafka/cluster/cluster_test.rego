package kafka.cluster_test

import data.kafka.cluster

_replicated := {"prod-eu": {"defaults": {"num.partitions": "8"}, "totals": {"topics": 1}}}

test_part_prefers_the_state_that_the_document_carries[note] if {
	some note, tc in {
		"replicated": {"document": {"cluster": "prod-eu"}, "parts": {{"num.partitions": "8"}}},
		"carried": {
			"document": {"cluster": "prod-eu", "clusterState": {"defaults": {"num.partitions": "2"}}},
			"parts": {{"num.partitions": "2"}},
		},
		"carried without the part": {"document": {"cluster": "prod-eu", "clusterState": {}}, "parts": set()},
		"no such cluster": {"document": {"cluster": "prod"}, "parts": set()},
	}
	parts := {part | part := cluster.part(tc.document, "defaults")} with data.clusters as _replicated
	tc.parts == parts
}

test_broker_default[note] if {
	some note, tc in {
		"the cluster's": {"document": {"cluster": "prod-eu"}, "value": "8"},
		"Kafka's where the cluster has none": {
			"document": {"cluster": "prod-eu", "clusterState": {"defaults": {}}},
			"value": "1",
		},
		"Kafka's where there is no cluster": {"document": {"cluster": "prod"}, "value": "1"},
	}
	value := cluster.broker_default(tc.document, "num.partitions") with data.clusters as _replicated
	tc.value == value
}

test_whether_topics_are_listed if {
	cluster.has_topics("a") with data.clusters as {"a": {"topics": {}}, "b": {}}
	not cluster.has_topics("b") with data.clusters as {"a": {"topics": {}}, "b": {}}
	not cluster.has_topics("c") with data.clusters as {"a": {"topics": {}}, "b": {}}
}

test_topic[note] if {
	some note, tc in {
		"carried": {"document": {"cluster": "c", "clusterState": {"topics": {"a": 1}}}, "topics": [1]},
		"replicated": {"document": {"cluster": "c"}, "topics": [2]},
		"carried state hides what is replicated": {"document": {"cluster": "c", "clusterState": {}}, "topics": []},
		"of another cluster": {"document": {"cluster": "d"}, "topics": []},
	}
	topics := [topic | topic := cluster.topic(tc.document, "a")] with data.clusters as {"c": {"topics": {"a": 2}}}
	tc.topics == topics
}

test_broker_state[note] if {
	known := {"1": {"rack": "a"}}
	some note, tc in {
		"known": {"document": {"brokerId": "1", "clusterState": {"brokers": known}}, "found": [{"rack": "a"}]},
		"not known": {"document": {"brokerId": "2", "clusterState": {"brokers": known}}, "found": []},
		"not said": {"document": {"clusterState": {"brokers": known}}, "found": []},
	}
	[broker | broker := cluster.broker_state(tc.document)] == tc.found
}

test_topics[note] if {
	known := {
		"a": {"internal": false, "markedForDeletion": false},
		"b": {"internal": true},
		"c": {"markedForDeletion": true},
	}
	some note, tc in {
		"neither": {"internal": false, "marked": false, "names": {"a"}},
		"internal": {"internal": true, "marked": false, "names": {"a", "b"}},
		"marked": {"internal": false, "marked": true, "names": {"a", "c"}},
		"both": {"internal": true, "marked": true, "names": {"a", "b", "c"}},
	}
	cluster.topics({"cluster": "c", "clusterState": {"topics": known}}, tc.internal, tc.marked) == tc.names
}
