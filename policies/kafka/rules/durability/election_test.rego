package kafka.rules.durability_test

import data.kafka.rules.durability as family

_topic_partitions(topics) := [{"topic": topic, "partitions": [0]} | some topic in topics]

_lossy(what, path) := {
	"rule": "KFK-DUR-009",
	"severity": "critical",
	"message": $"an unclean election of {what} may discard records that were acknowledged",
	"fix": "bring a replica back that is in sync, or have those who run the cluster allow it for the topic",
	"path": path,
	"patch": [],
}

_lossy_topic(topic, i) := _lossy($"topic \"{topic}\"", ["topicPartitions", i, "topic"])

test_election[note] if {
	everything := {_lossy("every partition", ["electionType"])}
	some note, tc in {
		"preferred": {"request": {"electionType": "PREFERRED", "topicPartitions": _topic_partitions(["a"])}, "deny": set()},
		"preferred of all": {"request": {"electionType": "PREFERRED", "topicPartitions": null}, "deny": set()},
		"of none": {"request": {"electionType": "UNCLEAN", "topicPartitions": []}, "deny": set()},
		"of all": {"request": {"electionType": "UNCLEAN", "topicPartitions": null}, "deny": everything},
		"of all that are not named": {"request": {"electionType": "UNCLEAN"}, "deny": everything},
		"of a topic": {
			"request": {"electionType": "UNCLEAN", "topicPartitions": _topic_partitions(["a"])},
			"deny": {_lossy_topic("a", 0)},
		},
		"of a topic beside one that may lose records": {
			"request": {"electionType": "UNCLEAN", "topicPartitions": _topic_partitions(["logs.x", "a"])},
			"deny": {_lossy_topic("a", 1)},
		},
		"in a way that nobody knows": {
			"request": {"electionType": "OTHER", "topicPartitions": _topic_partitions(["a"])},
			"deny": {_lossy_topic("a", 0)},
		},
	}
	deny := family.deny with input as {
		"operation": "ElectLeaders",
		"params": {"KFK-DUR-009": {"topics": ["logs.*"]}},
		"request": tc.request,
	}
	tc.deny == deny
}

test_election_where_every_topic_may_lose_records if {
	deny := family.deny with input as {
		"operation": "ElectLeaders",
		"params": {"KFK-DUR-009": {"topics": ["*"]}},
		"request": {"electionType": "UNCLEAN"},
	}
	deny == set()
}
