package kafka.resources_test

import data.kafka.resources

_refused(type, name, configs) := {$"{refusal.name}: {refusal.message}" |
	ops := [{"name": key, "op": "SET", "value": value} | some key, value in configs]
	some refusal in resources.refusals(_document(type, name, ops))
}

test_in_this_order[note] if {
	some note, tc in {
		"no name": {
			"type": "group",
			"name": "",
			"configs": {"x": "1"},
			"refused": {"INVALID_REQUEST: Default group resources are not allowed."},
		},
		"no subscription's name": {
			"type": "client-metrics", "name": "", "configs": {"x": "1"},
			"refused": {"INVALID_REQUEST: Subscription name can't be empty"},
		},
		"no key of a group": {
			"type": "group", "name": "a", "configs": {"x": "1", "consumer.session.timeout.ms": "x"},
			"refused": {"INVALID_CONFIG: Unknown group config name: x"},
		},
		"no key of client metrics": {
			"type": "client-metrics", "name": "a", "configs": {"x": "1", "interval.ms": "0"},
			"refused": {"INVALID_REQUEST: Unknown client metrics configuration: x"},
		},
		"what cannot be read before what is out of bounds": {
			"type": "group", "name": "a", "configs": {"share.isolation.level": "none", "consumer.session.timeout.ms": "1"},
			"refused": {concat(": ", [
				"INVALID_CONFIG",
				"Invalid value none for configuration share.isolation.level",
				"String must be one of: read_committed, read_uncommitted",
			])},
		},
		"an empty part of a list": {
			"type": "client-metrics", "name": "a", "configs": {"metrics": "a,", "interval.ms": "0"},
			"refused": {"INVALID_CONFIG: Configuration 'metrics' values must not be empty."},
		},
		"twice the same": {"type": "client-metrics", "name": "a", "configs": {"metrics": "a, a"}, "refused": set()},
	}
	tc.refused == _refused(tc.type, tc.name, tc.configs)
}

test_what_was_there_counts if {
	ops := [{"name": "interval.ms", "op": "SET", "value": "2000"}]
	state := {"clusterState": {"resourceConfigs": {"client-metrics": {"m": {"match": "x=a"}}}}}
	document := object.union(_document("client-metrics", "m", ops), state)
	{"Illegal client matching pattern: x=a"} == {refusal.message | some refusal in resources.refusals(document)}
}
