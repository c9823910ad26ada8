package kafka.base.releases_test

import data.kafka.base.releases
import data.kafka.configs
import data.kafka.engine.topic_defaults
import data.kafka.fixtures_test as fixtures

test_line[note] if {
	some note, tc in {
		"an older one": {"state": {"catalog": {"release": "3.9"}}, "lines": {"3.9"}},
		"with its patch": {"state": {"catalog": {"release": "4.3.1"}}, "lines": {"4.3"}},
		"the newest": {"state": {"catalog": {"release": "4.4.0"}}, "lines": set()},
		"a newer one": {"state": {"catalog": {"release": "9.0"}}, "lines": set()},
		"older than all": {"state": {"catalog": {"release": "3.5.1"}}, "lines": {"3.9"}},
		"one of one digit less": {"state": {"catalog": {"release": "2.8"}}, "lines": {"3.9"}},
		"one of two digits in front": {"state": {"catalog": {"release": "10.1"}}, "lines": set()},
		"one that begins as an older one": {"state": {"catalog": {"release": "4.30"}}, "lines": set()},
		"no release": {"state": {"catalog": {"release": "new"}}, "lines": set()},
		"not known": {"state": {"catalog": {}}, "lines": set()},
		"nothing known": {"state": {}, "lines": set()},
	}
	tc.lines == {line | line := releases.line({"cluster": "c", "clusterState": tc.state})}
}

# What a creation with these configs is refused for, on a cluster of a release.
test_decisions[note] if {
	some note, tc in {
		"a key that came later": {"key": "max.decompressed.message.bytes", "value": "1", "refused": {
			"3.6": {"Unknown topic config name: max.decompressed.message.bytes"},
			"3.9": {"Unknown topic config name: max.decompressed.message.bytes"},
			"4.3": {"Unknown topic config name: max.decompressed.message.bytes"},
			"4.4": set(),
		}},
		"a key that is gone": {"key": "message.downconversion.enable", "value": "true", "refused": {
			"3.9": set(),
			"4.0": {"Unknown topic config name: message.downconversion.enable"},
			"4.4": {"Unknown topic config name: message.downconversion.enable"},
		}},
		"one that has to be a boolean": {"key": "message.downconversion.enable", "value": "x", "refused": {"3.9": {concat(
			"",
			[
				"Invalid value x for configuration message.downconversion.enable: ",
				"Expected value to be either true or false",
			],
		)}}},
		"another bound": {"key": "segment.bytes", "value": "14", "refused": {
			"4.0": set(),
			"4.1": {"Invalid value 14 for configuration segment.bytes: Value must be at least 1048576"},
		}},
		"another validator of lists": {"key": "cleanup.policy", "value": "delete,,x", "refused": {
			"4.1": {"Invalid value  for configuration cleanup.policy: String must be one of: compact, delete"},
			"4.2": {"Configuration 'cleanup.policy' values must not be empty."},
		}},
	}
	every release, messages in tc.refused {
		state := object.union(fixtures.state, {"catalog": {"release": release}})
		request := {"topic": "shop.baskets", "configs": {tc.key: tc.value}}
		decision := fixtures.decide(fixtures.document({"request": request, "clusterState": state}), {})
		messages == {message | some message in decision.errors; not startswith(message, "KFK-")}
	}
}

_later := {"topic": "shop.baskets", "configs": {"max.decompressed.message.bytes": "1"}}

_release_state(release) := object.union(fixtures.state, {"catalog": {"release": release}})

_denied(document) := {key |
	decisions := data.kafka.decisions with input as document
		with data.settings.compiled as fixtures.compiled(fixtures.settings)
	some key, decision in decisions
	"Unknown topic config name: max.decompressed.message.bytes" in decision.errors
}

# Items of one cluster, or of their own.
test_many[note] if {
	some note, tc in {
		"all of an older one": {"common": {"clusterState": _release_state("4.3.1")}, "denied": {"a", "b"}},
		"all of the newest": {"common": {"clusterState": _release_state("4.4.0")}, "denied": set()},
		"one of its own": {
			"common": {"clusterState": _release_state("4.3.1")},
			"own": {"clusterState": _release_state("4.4.0")},
			"denied": {"a"},
		},
		"only one of an older one": {"common": {}, "own": {"clusterState": _release_state("4.0")}, "denied": {"b"}},
	}
	item := {"operation": "CreateTopic", "request": _later}
	tc.denied == _denied({
		"items": {"a": item, "b": object.union(item, object.get(tc, "own", {}))},
		"common": object.union({"cluster": "prod-eu", "now": fixtures.now}, tc.common),
	})
}

# What a change of brokers, groups or client metrics is refused for, on a cluster of a release.
test_other_resources[note] if {
	session := "consumer.session.timeout.ms"
	some note, tc in {
		"a key that came later": {"broker": {"log.remote.copy.lag.ms": "1"}, "refused": {
			"4.2": {"Cannot update these configs dynamically: [log.remote.copy.lag.ms]": false},
			"4.4": {"Cannot update these configs dynamically: [log.remote.copy.lag.ms]": false},
		}},
		"one that only starts with it": {"broker": {"remote.log.reader.threads": "11"}, "refused": {
			"3.9": {"Cannot update these configs dynamically: [remote.log.reader.threads]": true},
			"4.4": {"Cannot update these configs dynamically: [remote.log.reader.threads]": false},
		}},
		"another bound": {"broker": {"log.segment.bytes": "14"}, "refused": {
			"3.9": {"Invalid value 14 for configuration log.segment.bytes: Value must be at least 1048576": false},
			"4.1": {"Invalid value 14 for configuration log.segment.bytes: Value must be at least 1048576": true},
			"4.4": {"Invalid value 14 for configuration log.segment.bytes: Value must be at least 1048576": true},
		}},
		"no threads": {"broker": {"num.replica.fetchers": "-2"}, "refused": {
			"4.1": {$"{_threads} num.replica.fetchers=-2, value should be at least 1{_dynamic}": true},
			"4.2": {"Invalid value -2 for configuration num.replica.fetchers: Value must be at least 1": true},
		}},
		"a list with gaps": {"broker": {"metric.reporters": "a,,b"}, "refused": {
			"4.1": {"Configuration 'metric.reporters' values must not be empty.": false},
			"4.2": {"Configuration 'metric.reporters' values must not be empty.": true},
		}},
		"a list with a part twice": {"broker": {"metric.reporters": "a,a"}, "refused": {
			"4.1": {"Configuration 'metric.reporters' values must not be duplicated.": false},
			"4.3": {"Configuration 'metric.reporters' values must not be duplicated.": false},
			"4.4": {"Configuration 'metric.reporters' values must not be duplicated.": true},
		}},
		"a choice of a list": {"broker": {"log.cleanup.policy": "x"}, "refused": {
			"3.9": {"Invalid value x for configuration log.cleanup.policy: String must be one of: compact, delete": true},
			"4.4": {"Invalid value x for configuration log.cleanup.policy: String must be one of: compact, delete": true},
		}},
		"groups that there are not": {"group": {session: "x"}, "refused": {
			"3.9": {"Unknown resource type 32": true},
			"4.0": {"Unknown resource type 32": false},
		}},
		"a group's key that came later": {"group": {"errors.deadletterqueue.topic.name": "x"}, "refused": {
			"4.3": {"Unknown group config name: errors.deadletterqueue.topic.name": true},
			"4.4": {"Unknown group config name: errors.deadletterqueue.topic.name": false},
		}},
		"a group's bound": {"group": {session: "44999"}, "refused": {
			"4.3": {$"{session} must be greater than or equal to group.consumer.min.session.timeout.ms": true},
			"4.4": {$"{session} must be in the range 45000 to 60000 inclusive.": true},
		}},
		"no value and no groups": {"group": {session: null}, "refused": {
			"3.9": {$"Null value not supported for : {session}": true, "Unknown resource type 32": false},
		}},
		"a list of client metrics": {"client-metrics": {"metrics": "a,,b"}, "refused": {
			"4.1": {"Configuration 'metrics' values must not be empty.": false},
			"4.2": {"Configuration 'metrics' values must not be empty.": true},
		}},
	}
	some kind in ["broker", "group", "client-metrics"]
	every release, messages in tc.refused {
		decision := _altered(kind, tc[kind], release)
		every message, is_said in messages { is_said == _is_among(message, decision.errors) }
	}
}

_threads := concat(" ", [
	"Invalid value org.apache.kafka.common.config.ConfigException:",
	"Dynamic thread count update validation failed for",
])

_dynamic := " for configuration Invalid dynamic configuration"

_altered(kind, sets, release) := fixtures.decide(
	object.union(_request(kind, sets), {
		"cluster": "prod-eu",
		"now": fixtures.now,
		"clusterState": {
			"brokers": {"1": {"configs": {}}},
			"catalog": {"release": release},
			"resourceConfigs": {"group": {}, "client-metrics": {}},
			"topics": {},
		},
	}),
	{},
)

_request(kind, sets) := {"operation": "AlterBroker", "request": {"broker": "1", "configs": _changed(sets)}} if {
	kind == "broker"
} else := {"operation": "AlterConfig", "request": {
	"resource": {"type": kind, "name": "g"},
	"configs": _changed(sets),
}}

default _is_among(_, _) := false

_is_among(message, messages) if message in messages

_changed(sets) := {"mode": "incremental", "ops": [{"name": name, "op": "SET", "value": text} | some name, text in sets]}

# A list of the newest is one to rules, though the release takes nothing away from its text.
test_a_list_that_was_a_text[release] if {
	some release, refused in {"4.1": true, "4.2": false}
	change := {"mode": "incremental", "ops": [{"name": "listeners", "op": "APPEND", "value": "A://:1"}]}
	decision := fixtures.decide(
		{
			"operation": "AlterBroker", "cluster": "prod-eu", "now": fixtures.now,
			"request": {"broker": "1", "configs": change},
			"clusterState": {"brokers": {"1": {"configs": {}}}, "catalog": {"release": release}},
		},
		{},
	)
	refused == _is_among("Config value append is not allowed for config key: listeners", decision.errors)
	releases.brokers[release].defaults.values.listeners == ["PLAINTEXT://:9092"]
}

# What a broker's default does to topics is what it does in that release: in 3.9 a topic has its limit of times to come
# from a key whose own default is another one.
test_topic_defaults[release] if {
	some release, value in {"3.9": 9223372036854775807, "4.0": 3600000}
	topic := data.catalog.older.lines[release].topic
	broker := releases.brokers[release]
	name := "message.timestamp.after.max.ms"
	value == configs.inherited(name, {}) with data.catalog.broker as broker with data.catalog.topic as topic
}

# A broker's key that no topic of the release inherits from reaches no topics.
test_inherited_keys[release] if {
	some release, keys in {"3.9": {"log.message.downconversion.enable"}, "4.3": set(), "4.4": {"log.remote.copy.lag.ms"}}
	request := {"broker": "", "configs": _changed({
		"log.message.downconversion.enable": "false",
		"log.remote.copy.lag.ms": "1",
	})}
	document := {"operation": "AlterBroker", "cluster": "prod-eu", "request": request, "clusterState": {
		"brokers": {"": {"configs": {}}},
		"catalog": {"release": release},
	}}
	topic := object.get(data.catalog.older.lines, [release, "topic"], data.catalog.topic)
	keys == {key | some key, _ in topic.inherits; key in {op.name | some op in document.request.configs.ops}}
	is_named := count(keys) > 0
	is_named == _names_inherited(document, topic)
}

default _names_inherited(_, _) := false

_names_inherited(document, topic) if topic_defaults.is_named(document) with data.catalog.topic as topic

# Differences and the newest make the whole.
test_whole if {
	newest := data.catalog.broker
	older := releases.brokers["3.9"]
	not older.configs["group.streams.assignors"]
	not older.types["group.streams.assignors"]
	not older.defaults.configs["group.streams.assignors"]
	older.configs["zookeeper.connect"].dynamic == "read-only"
	older.defaults.values["num.recovery.threads.per.data.dir"] == 1
	older.configs["node.id"].default == "-1"
	not "min" in object.keys(older.configs["node.id"])
	not older.defaults.configs["sasl.oauthbearer.expected.audience"]
	older.configs["num.io.threads"] == newest.configs["num.io.threads"]
	[older.kafka, older.beside] == ["3.9.2", newest.kafka]
	"num.network.threads" in older.pools
	releases.groups["3.9"].types == {}
	releases.client_metrics["4.1"].interval == data.catalog.clientMetrics.interval
}
