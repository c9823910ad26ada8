package kafka.configs_test

import data.kafka.configs

_value_error(name, text, problem) := {
	"code": 40,
	"name": "INVALID_CONFIG",
	"message": sprintf("Invalid value %s for configuration %s: %s", [text, name, problem]),
}

test_invalid[note] if {
	some note, tc in {
		"no number": {"name": "retention.ms", "text": "7d", "problem": "Not a number of type LONG"},
		"beyond int": {"name": "segment.bytes", "text": "2147483648", "problem": "Not a number of type INT"},
		"no double": {"name": "min.cleanable.dirty.ratio", "text": "half", "problem": "Not a number of type DOUBLE"},
		"no boolean": {"name": "preallocate", "text": "1", "problem": "Expected value to be either true or false"},
		"below": {"name": "segment.bytes", "text": "1048575", "problem": "Value must be at least 1048576"},
		"above": {"name": "compression.lz4.level", "text": "18", "problem": "Value must be no more than 17"},
		"below a double": {"name": "min.cleanable.dirty.ratio", "text": "-0.1", "problem": "Value must be at least 0"},
		"no such string": {
			"name": "message.timestamp.type",
			"text": "createtime",
			"problem": "String must be one of: CreateTime, LogAppendTime",
		},
		"no such string, in Kafka's order": {
			"name": "compression.type",
			"text": "brotli",
			"problem": "String must be one of: uncompressed, zstd, lz4, snappy, gzip, producer",
		},
		"between a bound and the one beside": {
			"name": "compression.gzip.level",
			"text": "0",
			"problem": "Value must be between 1 and 9 or equal to -1",
		},
		"above, with one beside": {
			"name": "compression.gzip.level",
			"text": "10",
			"problem": "Value must be between 1 and 9 or equal to -1",
		},
	}
	{_value_error(tc.name, tc.text, tc.problem)} == configs.invalid("topic", {tc.name: tc.text, "preallocate2": "fine"})
}

test_valid[note] if {
	some note, overrides in {
		"none": {},
		"on the least": {"segment.bytes": "1048576"},
		"on the greatest": {"compression.lz4.level": "17"},
		"a double on its bounds": {"min.cleanable.dirty.ratio": "1"},
		"the one beside the bounds": {"compression.gzip.level": "-1"},
		"on the bounds, with one beside": {"compression.gzip.level": "9"},
		"boolean": {"preallocate": "TRUE"},
		"all replicas throttled": {"leader.replication.throttled.replicas": "*"},
		"some replicas throttled": {"follower.replication.throttled.replicas": "0:1, 12:345"},
		"no replicas throttled": {"leader.replication.throttled.replicas": ""},
		"the same least and most": {"min.compaction.lag.ms": "5", "max.compaction.lag.ms": "5"},
		"string": {"message.timestamp.type": "LogAppendTime"},
		"list": {"cleanup.policy": "compact,delete"},
		"empty list": {"cleanup.policy": ""},
		"null is another matter": {"retention.ms": null},
		"name that Kafka lacks": {"confluent.tier.enable": "maybe"},
	}
	configs.invalid("topic", overrides) == set()
}

test_invalid_hides_none if {
	overrides := {"retention.ms": "x", "segment.ms": "y", "preallocate": "true"}
	configs.invalid("topic", overrides) == {
		_value_error("retention.ms", "x", "Not a number of type LONG"),
		_value_error("segment.ms", "y", "Not a number of type LONG"),
	}
}

test_lists_of_a_choice[note] if {
	some note, tc in {
		"one of it": {"value": "compact", "messages": set()},
		"twice the same": {"value": "delete, delete", "messages": set()},
		"none": {"value": "", "messages": set()},
		"another": {
			"value": "delete,foo",
			"messages": {"Invalid value foo for configuration cleanup.policy: String must be one of: compact, delete"},
		},
		"of several the first": {
			"value": "foo,,bar",
			"messages": {"Invalid value foo for configuration cleanup.policy: String must be one of: compact, delete"},
		},
		"an empty part": {"value": "delete,", "messages": {"Configuration 'cleanup.policy' values must not be empty."}},
	}
	tc.messages == {error.message | some error in configs.invalid("topic", {"cleanup.policy": tc.value})}
}

test_lists_of_a_broker[note] if {
	some note, tc in {
		"fine": {
			"configs": {"listeners": "PLAINTEXT://:9092", "log.dirs": "/a,/a", "ssl.cipher.suites": ""},
			"messages": set(),
		},
		"empty": {
			"configs": {"listeners": ""},
			"messages": {"Configuration 'listeners' must not be empty. Valid values include: any non-empty value"},
		},
		"no number": {
			"configs": {"offsets.topic.replication.factor": "x"},
			"messages": {"Invalid value x for configuration offsets.topic.replication.factor: Not a number of type SHORT"},
		},
		"an empty part": {
			"configs": {"listener.name.a.ssl.cipher.suites": "x,"},
			"messages": {"Configuration 'ssl.cipher.suites' values must not be empty."},
		},
		"none of a choice": {
			"configs": {"process.roles": "zookeeper"},
			"messages": {"Invalid value zookeeper for configuration process.roles: String must be one of: broker, controller"},
		},
		"another validator's": {"configs": {"controller.quorum.voters": ","}, "messages": set()},
		"null is another matter": {"configs": {"listeners": null}, "messages": set()},
	}
	tc.messages == {error.message | some error in configs.invalid("broker", tc.configs)}
}

test_lists_of_client_metrics if {
	found := configs.invalid("clientMetrics", {"match": ",", "metrics": "a,a"})
	{error.message | some error in found} == {"Configuration 'match' values must not be empty."}
}

test_groups_have_no_lists if configs.invalid("group", {"cleanup.policy": "foo"}) == set()

test_throttled_replicas[text] if {
	some text in ["a", "0", "0:1,*", "0:1:2"]
	name := "leader.replication.throttled.replicas"
	problem := concat("", [
		name,
		" must be the literal '*' or a list of replicas in the following format: ",
		"[partitionId]:[brokerId],[partitionId]:[brokerId],...",
	])
	shown := sprintf("[%s]", [concat(", ", split(text, ","))])
	{_value_error(name, shown, problem)} == configs.invalid("topic", {name: text})
}

test_lags_of_compaction_in_conflict if {
	found := configs.invalid("topic", {"min.compaction.lag.ms": "10", "max.compaction.lag.ms": "5"})
	{error.message | some error in found} == {
		"conflict topic config setting min.compaction.lag.ms (10) > max.compaction.lag.ms (5)",
	}
}

# Kafka prints what it has read, and what it could not read as it was written.
test_shown[note] if {
	some note, tc in {
		"a number in another spelling": {
			"kind": "topic",
			"configs": {"segment.ms": " 00"},
			"shown": "0",
			"problem": "Value must be at least 1",
		},
		"a number below": {
			"kind": "topic",
			"configs": {"segment.ms": "-٣"},
			"shown": "-3",
			"problem": "Value must be at least 1",
		},
		"a double": {
			"kind": "topic",
			"configs": {"min.cleanable.dirty.ratio": "150e-2"},
			"shown": "1.5",
			"problem": "Value must be no more than 1",
		},
		"a double that is whole": {
			"kind": "topic",
			"configs": {"min.cleanable.dirty.ratio": "-0x2p0"},
			"shown": "-2.0",
			"problem": "Value must be at least 0",
		},
		"beyond all doubles": {
			"kind": "topic",
			"configs": {"min.cleanable.dirty.ratio": "1e400"},
			"shown": "Infinity",
			"problem": "Value must be no more than 1",
		},
		"below all doubles": {
			"kind": "topic",
			"configs": {"min.cleanable.dirty.ratio": "-Infinity"},
			"shown": "-Infinity",
			"problem": "Value must be at least 0",
		},
		"a choice": {
			"kind": "topic",
			"configs": {"message.timestamp.type": " x "},
			"shown": "x",
			"problem": "String must be one of: CreateTime, LogAppendTime",
		},
		"no class": {
			"kind": "broker",
			"configs": {"principal.builder.class": " a b"},
			"shown": " a b",
			"problem": "Class a b could not be found.",
		},
		"nothing": {
			"kind": "broker",
			"configs": {"remote.log.metadata.manager.class.name": " "},
			"shown": "",
			"problem": "String must be non-empty",
		},
	}
	some name, _ in tc.configs
	configs.invalid(tc.kind, tc.configs) == {_value_error(name, tc.shown, tc.problem)}
}

test_valid_of_other_kinds[note] if {
	some note, tc in {
		"no number, which Kafka compares with nothing": {"kind": "topic", "configs": {"min.cleanable.dirty.ratio": "NaN"}},
		"a class": {"kind": "broker", "configs": {"principal.builder.class": "a.B$C"}},
		"a pair that only topics have": {
			"kind": "broker",
			"configs": {"min.compaction.lag.ms": "5", "max.compaction.lag.ms": "1"},
		},
	}
	configs.invalid(tc.kind, tc.configs) == set()
}

# Java's Double.toString.
test_java_double[text] if {
	some text, number in {
		"0.5": 0.5,
		"1.0": 1,
		"-1.5": -1.5,
		"100.0": 100,
		"1.0E7": 10000000,
		"1.23456785E7": 12345678.5,
		"9999999.0": 9999999,
		"0.001": 0.001,
		"0.0123": 0.0123,
		"1.0E-4": 0.0001,
		"-1.2E-4": -0.00012,
		"0.0": 0,
		"1.7976931348623157E308": 1.7976931348623157e308,
		"NaN": "NaN",
	}
	configs.java_double(number) == text
}

# What is neither a string nor null hides nothing of what stands beside it.
test_a_value_that_is_none if {
	count(configs.invalid("topic", {"retention.ms": "x", "segment.ms": 5})) > 0
}
