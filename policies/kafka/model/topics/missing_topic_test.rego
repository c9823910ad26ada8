package kafka.model.topics_test

import data.kafka.model.topics

_absent_topic(name) := {_error(3, "UNKNOWN_TOPIC_OR_PARTITION", message)} if {
	message := $"Topic '{name}' does not exist in cluster 'prod-eu'."
}

_change_of(name, op, value) := {"mode": "incremental", "ops": [{"name": name, "op": op, "value": value}]}

test_alteration_of_what_is_not_there[note] if {
	no_list := _error(40, "INVALID_CONFIG", "Can't APPEND to key retention.ms because its type is not LIST.")
	no_number := "Invalid value x for configuration retention.ms: Not a number of type LONG"
	long := _long_name(32768)
	too_long := "The configuration value cannot be added because it exceeds the maximum value size of 32767 bytes."
	some note, tc in {
		"a config": {
			"request": {"topic": "gone", "configs": _change_of("retention.ms", "SET", "1")},
			"refused": {_error(3, "UNKNOWN_TOPIC_OR_PARTITION", "The topic 'gone' does not exist.")},
		},
		"a bad value": {
			"request": {"topic": "gone", "configs": _change_of("retention.ms", "SET", "x")},
			"refused": {_error(40, "INVALID_CONFIG", no_number)},
		},
		"a bad value, all replaced": {
			"request": {"topic": "gone", "configs": {"mode": "full", "entries": {"retention.ms": "x"}}},
			"refused": {_error(40, "INVALID_CONFIG", no_number)},
		},
		"an illegal name, a bad value": {
			"request": {"topic": "a b", "configs": _change_of("retention.ms", "SET", "x")},
			"refused": _unlike("a b"),
		},
		"an illegal name, no list": {
			"request": {"topic": "a b", "configs": _change_of("retention.ms", "APPEND", "1")},
			"refused": {no_list},
		},
		"an illegal name, too long": {
			"request": {"topic": "a b", "configs": _change_of("retention.ms", "SET", long)},
			"refused": {_error(40, "INVALID_CONFIG", too_long)},
		},
		"an illegal name, no configs": {
			"request": {"topic": "a b", "numPartitions": 3},
			"refused": _absent_topic("a b"),
		},
		"no name": {
			"request": {"topic": "", "configs": _change_of("retention.ms", "SET", "1")},
			"refused": {_error(42, "INVALID_REQUEST", "Default topic resources are not allowed.")},
		},
		"no name, a bad value": {
			"request": {"topic": "", "configs": _change_of("retention.ms", "SET", "x")},
			"refused": {_error(42, "INVALID_REQUEST", "Default topic resources are not allowed.")},
		},
		"no name, no list": {
			"request": {"topic": "", "configs": _change_of("retention.ms", "APPEND", "1")},
			"refused": {no_list},
		},
		"no name, no configs": {"request": {"topic": "", "numPartitions": 3}, "refused": _absent_topic("")},
		"partitions moved": {
			"request": {"topic": "a b", "reassignments": {"0": [7]}},
			"refused": {_error(3, "UNKNOWN_TOPIC_OR_PARTITION", "Unable to find a topic named a b.")},
		},
		"more partitions": {"request": {"topic": "gone", "numPartitions": 3}, "refused": _absent_topic("gone")},
	}
	tc.refused == topics.refusals("AlterTopic", _alter(tc.request))
}
