package kafka.model.resources_test

import data.kafka.model.resources

_alter_errors(type, name, configs) := {$"{refusal.name}: {refusal.message}" |
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
	tc.refused == _alter_errors(tc.type, tc.name, tc.configs)
}

# What a change does not name refuses nothing, unless it is compared with what the change names.
test_what_was_there[note] if {
	some note, tc in {
		"client metrics": {
			"type": "client-metrics", "stored": {"match": "x=a", "metrics": "a,"},
			"op": {"name": "interval.ms", "op": "SET", "value": "2000"}, "refused": 0,
		},
		"an interval": {
			"type": "client-metrics", "stored": {"interval.ms": "1"},
			"op": {"name": "match", "op": "DELETE"}, "refused": 0,
		},
		"a group": {
			"type": "group",
			"stored": {"consumer.session.timeout.ms": "1", "share.isolation.level": "x", "share.auto.offset.reset": "y"},
			"op": {"name": "share.session.timeout.ms", "op": "SET", "value": "50000"}, "refused": 0,
		},
		"a group, as invalid as before": {
			"type": "group", "stored": {"share.isolation.level": "x"},
			"op": {"name": "share.isolation.level", "op": "SET", "value": "x"}, "refused": 1,
		},
		"of two that are compared": {
			"type": "group", "stored": {"consumer.session.timeout.ms": "1", "consumer.heartbeat.interval.ms": "0"},
			"op": {"name": "consumer.heartbeat.interval.ms", "op": "DELETE"}, "refused": 1,
		},
	}
	document := object.union(_document(tc.type, "m", [tc.op]), {"clusterState": {
		"brokers": {"1": {"configs": {}}},
		"resourceConfigs": {tc.type: {"m": tc.stored}},
	}})
	tc.refused == count(resources.refusals(document))
}

# What stands there already refuses nothing, and what a newer Kafka may have is not unknown.
test_names_that_the_catalogue_lacks[note] if {
	unknown := {"INVALID_CONFIG: Unknown group config name: x"}
	some note, tc in {
		"set anew": {"release": "4.0", "stored": {}, "ops": [_set_op("x", "1")], "refused": unknown},
		"left alone": {"release": "4.0", "stored": {"x": "1"}, "ops": _another, "refused": set()},
		"set to another text": {"release": "4.0", "stored": {"x": "1"}, "ops": [_set_op("x", "2")], "refused": unknown},
		"of a newer cluster": {"release": "9.0", "stored": {}, "ops": [_set_op("x", "1")], "refused": set()},
		"of no known release": {"release": "", "stored": {}, "ops": [_set_op("x", "1")], "refused": set()},
	}
	state := {"catalog": {"release": tc.release}, "resourceConfigs": {"group": {"g": tc.stored}}}
	refused := resources.refusals(object.union(_document("group", "g", tc.ops), {"clusterState": state}))
	tc.refused == {$"{refusal.name}: {refusal.message}" | some refusal in refused}
}

_another := [_set_op("share.record.lock.duration.ms", "20000")]

_set_op(name, value) := {"name": name, "op": "SET", "value": value}
