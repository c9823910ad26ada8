package kafka.model.topics_test

import data.kafka.model.topics

test_too_many_partitions[note] if {
	too_many := {_error(44, "POLICY_VIOLATION", "Excessively large number of partitions per request.")}
	too_large := {_error(44, "POLICY_VIOLATION", "Unable to perform excessively large batch operation.")}
	some note, tc in {
		"few": {"request": {"numPartitions": 9999}, "refused": set()},
		"with all records of the topic": {"request": {"numPartitions": 10000}, "refused": too_large},
		"with its configs": {"request": {"numPartitions": 9999, "configs": {"retention.ms": "5"}}, "refused": too_large},
		"too many": {"request": {"numPartitions": 10001}, "refused": too_many},
		"and all else wrong": {
			"request": {"topic": "a b", "numPartitions": 10001, "configs": {"a": "b"}},
			"refused": too_many,
		},
	}
	tc.refused == topics.refusals("CreateTopic", _create(object.union({"topic": "new"}, tc.request)))
}

test_the_log_of_the_cluster if {
	refused := topics.refusals("CreateTopic", _create({"topic": "__cluster_metadata", "numPartitions": 20000}))
	"Creation of internal topic __cluster_metadata is prohibited." in {refusal.message | some refusal in refused}
	not "Excessively large number of partitions per request." in {refusal.message | some refusal in refused}
}

test_growth[partitions] if {
	too_much := {_error(44, "POLICY_VIOLATION", "Excessively large number of additional partitions per request.")}
	some partitions, refused in {10002: set(), 10003: too_much}
	refused == topics.refusals("AlterTopic", _alter({"numPartitions": partitions}))
}

# Of a default that nobody can read nothing is counted, and all else is refused as ever.
test_an_unreadable_default if {
	state := {"defaults": {"num.partitions": "x"}}
	document := object.union(_create({"topic": "a b", "numPartitions": -1}), {"clusterState": state})
	topics.refusals("CreateTopic", document) == _unlike("a b")
}
