package kafka.configs_test

import data.kafka.configs

test_typed[note] if {
	some note, tc in {
		"long": {"name": "retention.ms", "text": "604800000", "typed": [604800000]},
		"long, no number": {"name": "retention.ms", "text": "7d", "typed": []},
		"int beyond its type": {"name": "segment.bytes", "text": "2147483648", "typed": []},
		"double": {"name": "min.cleanable.dirty.ratio", "text": "0.5", "typed": [0.5]},
		"double in Java's spelling": {"name": "min.cleanable.dirty.ratio", "text": ".5", "typed": [0.5]},
		"true": {"name": "preallocate", "text": " True", "typed": [true]},
		"false": {"name": "preallocate", "text": "FALSE", "typed": [false]},
		"neither": {"name": "preallocate", "text": "yes", "typed": []},
		"list": {"name": "cleanup.policy", "text": "compact, delete ", "typed": [["compact", "delete"]]},
		"list of one": {"name": "cleanup.policy", "text": "compact", "typed": [["compact"]]},
		"empty list": {"name": "cleanup.policy", "text": " ", "typed": [[]]},
		"empty member": {"name": "cleanup.policy", "text": "a,,b", "typed": [["a", "", "b"]]},
		"string": {"name": "compression.type", "text": " zstd ", "typed": ["zstd"]},
		"unknown name": {"name": "confluent.tier.enable", "text": "true", "typed": ["true"]},
	}
	tc.typed == [value | value := configs.typed("topic", tc.name, tc.text)]
}

test_type_of[name] if {
	some name, type in {
		"retention.ms": "long",
		"segment.bytes": "int",
		"cleanup.policy": "list",
		"min.cleanable.dirty.ratio": "double",
		"preallocate": "boolean",
		"compression.type": "string",
		"retention": "string",
	}
	type == configs.type_of("topic", name)
}

test_values_leaves_out_what_cannot_be_parsed_and_nulls if {
	overrides := {"retention.ms": "5", "segment.ms": "x", "cleanup.policy": null, "vendor": "1"}
	configs.values("topic", overrides) == {"retention.ms": 5, "vendor": "1"}
}

# Plain values are read without a function each: to the same end.
test_values_are_those_of_typed[note] if {
	texts := {
		"", " ", "0", "-1", "00", "5", " 5", "-0", "9999", "10000", "999999999", "1000000000", "2147483648",
		"999999999999999999", "9223372036854775807", "9223372036854775808", "0.5", "1.", ".5", "-2.5e3", "true", "True",
		"false ", "word", " word", "a,b", "a, b", ",", "tab\tbed", "wide\u00a0", "low\u0001", "ünlaut",
	}
	some name in ["retention.ms", "segment.bytes", "cleanup.policy", "min.cleanable.dirty.ratio", "preallocate", "x"]
	some text in texts
	note := json.marshal([name, text])
	configs.values("topic", {name: text}) == {name: value | value := configs.typed("topic", name, text)}
}

test_values_of_other_kinds_are_those_of_typed[note] if {
	some name in ["broker.rack", "delegation.token.secret.key", "log.cleanup.policy", "offsets.topic.replication.factor"]
	some text in {"", " ", "word", " word ", "1", "-1", "32767", "32768", "true"}
	note := json.marshal([name, text])
	configs.values("broker", {name: text}) == {name: value | value := configs.typed("broker", name, text)}
}

test_values_of_none if configs.values("topic", {}) == {}

# A map with anything else in it is not configs at all: it must not look like one that sets nothing.
test_values_is_undefined_for_what_are_not_configs[note] if {
	some note, other in {"number": 5, "list": ["5"], "boolean": true, "object": {}}
	not configs.values("topic", {"retention.ms": other})
}

test_typed_of_other_kinds[note] if {
	some note, tc in {
		"broker, int": {"kind": "broker", "name": "num.io.threads", "text": "8", "typed": [8]},
		"broker, short": {"kind": "broker", "name": "offsets.topic.replication.factor", "text": "3", "typed": [3]},
		"broker, beyond short": {"kind": "broker", "name": "offsets.topic.replication.factor", "text": "32768", "typed": []},
		"broker, class": {"kind": "broker", "name": "alter.config.policy.class.name", "text": " a.B ", "typed": ["a.B"]},
		"broker, password": {"kind": "broker", "name": "ssl.key.password", "text": " a ", "typed": [" a "]},
		"group": {"kind": "group", "name": "consumer.session.timeout.ms", "text": "8", "typed": [8]},
		"client metrics": {"kind": "clientMetrics", "name": "interval.ms", "text": "8", "typed": [8]},
	}
	tc.typed == [value | value := configs.typed(tc.kind, tc.name, tc.text)]
}

# Whatever means no limit is the one number that rules know; what Kafka does not take stays what it is.
test_no_limit[note] if {
	some note, tc in {
		"-1": {"kind": "topic", "name": "retention.bytes", "text": "-1", "typed": -1},
		"less": {"kind": "topic", "name": "retention.bytes", "text": "-7", "typed": -1},
		"the least": {"kind": "topic", "name": "retention.bytes", "text": "-9223372036854775808", "typed": -1},
		"never reached": {"kind": "topic", "name": "retention.bytes", "text": "9223372036854775807", "typed": -1},
		"nearly": {"kind": "topic", "name": "retention.bytes", "text": "9223372036854775806", "typed": 9223372036854775806},
		"nothing": {"kind": "topic", "name": "retention.bytes", "text": "0", "typed": 0},
		"what Kafka does not take": {"kind": "topic", "name": "retention.ms", "text": "-2", "typed": -2},
		"another meaning": {"kind": "topic", "name": "local.retention.ms", "text": "-2", "typed": -2},
		"of a broker": {"kind": "broker", "name": "log.retention.hours", "text": "-5", "typed": -1},
		"of one that has none": {"kind": "topic", "name": "compression.gzip.level", "text": "-1", "typed": -1},
	}
	configs.typed(tc.kind, tc.name, tc.text) == tc.typed
	configs.values(tc.kind, {tc.name: tc.text}) == {tc.name: tc.typed}
}

test_parsed if configs.parsed("topic", "retention.bytes", "-7") == -7

# As DynamicBrokerConfig's LISTENER_CONFIG_REGEX takes names apart.
test_base_name[name] if {
	some name, base in {
		"listener.name.plaintext.max.connections": ["max.connections"],
		"listener.name..max.connections": ["max.connections"],
		"listener.name.a.b.c": ["b.c"],
		"listener.name.a.": [""],
		"listener.name.a": [],
		"listener.names.a.b": [],
		"max.connections": [],
	}
	base == [found | found := configs.base_name(name)]
}

test_values_of_listeners if {
	overrides := {"listener.name.x.max.connections": "5", "max.connections": "6", "listener.name.x.y": "7"}
	configs.values("broker", overrides) == {
		"listener.name.x.max.connections": 5,
		"max.connections": 6,
		"listener.name.x.y": "7",
	}
	configs.type_of("group", "listener.name.x.max.connections") == "string"
}
