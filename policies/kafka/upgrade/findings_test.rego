package kafka.upgrade_test

import data.kafka.fixtures_test as fixtures
import data.kafka.lists.scope
import data.kafka.upgrade

_ask(fields) := answer if {
	document := object.union({"from": "3.9", "to": "4.3", "items": {}}, fields)
	answer := upgrade.findings with input as document
}

_outcomes(fields, item) := {finding.name: [finding.outcome, finding.message] | some finding in found} if {
	found := _ask(object.union(fields, {"items": {"k": item}})).findings.k
}

test_stored[note] if {
	some note, tc in {
		"nothing": {"component": "topic", "configs": {}, "found": {}},
		"as before": {"component": "topic", "configs": {"retention.ms": "1000"}, "found": {}},
		"unknown": {"component": "topic", "configs": {"x.y": "1"}, "found": {}},
		"deleted": {"component": "topic", "configs": {"segment.bytes": null}, "found": {}},
		"renamed": {
			"component": "broker",
			"configs": {"delegation.token.master.key": "x"},
			"found": {"delegation.token.master.key": [
				"removed",
				"Kafka 4.0 does not know it: use delegation.token.secret.key",
			]},
		},
		"of ZooKeeper": {
			"component": "broker",
			"configs": {"zookeeper.connect": "zk:2181"},
			"found": {"zookeeper.connect": ["removed", concat(" ", [
				"Kafka 4.0 does not know it: migrate the cluster to KRaft with a release before, 3.9 at best;",
				"then remove it",
			])]},
		},
		"without a word about it": {
			"component": "broker",
			"configs": {"reserved.broker.max.id": "1000"},
			"found": {"reserved.broker.max.id": ["removed", "Kafka 4.0 does not know it: remove it"]},
		},
		"of a topic": {
			"component": "topic",
			"configs": {"message.format.version": "2.8"},
			"found": {"message.format.version": [
				"removed",
				"Kafka 4.0 does not know it: remove it; records are always written in the newest format",
			]},
		},
		"below what it takes": {
			"component": "topic",
			"configs": {"segment.bytes": "1000"},
			"found": {"segment.bytes": [
				"refused",
				"Invalid value 1000 for configuration segment.bytes: Value must be at least 1048576",
			]},
		},
		"no number": {
			"component": "topic",
			"configs": {"segment.bytes": "x"},
			"found": {"segment.bytes": [
				"refused",
				"Invalid value x for configuration segment.bytes: Not a number of type INT",
			]},
		},
		"above it": {"component": "topic", "configs": {"segment.bytes": "2000000"}, "found": {}},
		"of another type": {
			"component": "broker",
			"configs": {"log.dirs": "/a"},
			"found": {},
		},
		"of another type, and a list": {
			"component": "broker",
			"configs": {"listeners": ","},
			"found": {"listeners": ["refused", "Configuration 'listeners' values must not be empty."]},
		},
		"of a listener": {
			"component": "broker",
			"configs": {"listener.name.x.log.message.format.version": "2.8"},
			"found": {"listener.name.x.log.message.format.version": [
				"removed",
				"Kafka 4.0 does not know it: remove it; records are always written in the newest format",
			]},
		},
	}
	found := _outcomes({}, {"component": tc.component, "configs": tc.configs})
	found == tc.found
}

test_releases[note] if {
	some note, tc in {
		"across": {"from": "3.8", "to": "4.0", "outcomes": {"removed"}},
		"before": {"from": "3.8", "to": "3.9", "outcomes": set()},
		"after": {"from": "4.0", "to": "4.3", "outcomes": {"refused"}},
		"the same": {"from": "4.3", "to": "4.3.1", "outcomes": {"refused"}},
		"far": {"from": "2.8", "to": "4.3", "outcomes": {"refused", "removed"}},
	}
	found := _outcomes(
		{"from": tc.from, "to": tc.to},
		{"component": "topic", "configs": {"message.format.version": "2.8", "segment.bytes": "1000"}},
	)
	tc.outcomes == {outcome | some [outcome, _] in found}
}

test_defaults_of_brokers if {
	found := _outcomes({}, {"component": "brokerDefaults", "configs": {"group.coordinator.threads": "1"}})
	found["num.recovery.threads.per.data.dir"] == ["default", "its default is \"2\", and was \"1\""]
	found["sasl.oauthbearer.expected.audience"] == ["default", "its default is \"\", and was none"]
	found["node.id"] == ["refused", "Missing required configuration \"node.id\" which has no default value."]
	found["controller.listener.names"][0] == "refused"
	not "group.coordinator.threads" in object.keys(found)
	not "zookeeper.connect" in object.keys(found)
	not "segment.bytes" in object.keys(found)
}

test_what_all_brokers_set_is_no_list_that_is_null if {
	_outcomes({"to": "3.9"}, {"component": "brokerDefaults", "configs": {"controller.listener.names": null}}) == {}
	found := _outcomes({}, {"component": "brokerDefaults", "configs": {"controller.listener.names": null}})
	not "controller.listener.names" in object.keys(found)
}

# What came after the release from which is new, and has no default that changes.
test_defaults_of_later_configs[note] if {
	some note, tc in {
		"new": {"from": "3.9", "to": "4.1", "names": set()},
		"there": {"from": "4.0", "to": "4.1", "names": {"share.coordinator.append.linger.ms"}},
		"before all that is compared": {"from": "2.8", "to": "4.0", "names": set()},
	}
	found := _outcomes({"from": tc.from, "to": tc.to}, {"component": "brokerDefaults", "configs": {}})
	tc.names == object.keys(found) & {"share.coordinator.append.linger.ms"}
}

test_oldest_release_stands_for_those_before if {
	found := _outcomes({"from": "2.8", "to": "4.0"}, {"component": "brokerDefaults", "configs": {}})
	found["num.recovery.threads.per.data.dir"][0] == "default"
	some note in _ask({"from": "2.8"}).notes
	note == "configs are compared from Kafka 3.5 on: what was changed before is not known"
	every one in _ask({"from": "3.5"}).notes { not startswith(one, "configs") }
}

test_features[note] if {
	some note, tc in {
		"low": {"configs": {"metadata.version": "6"}, "names": {"metadata.version"}},
		"least": {"configs": {"metadata.version": "7"}, "names": set()},
		"high": {"configs": {"metadata.version": "25"}, "names": set()},
		"none": {"configs": {}, "names": set()},
	}
	found := _outcomes({}, {"component": "features", "configs": tc.configs})
	tc.names == object.keys(found)
}

test_features_message if {
	found := _outcomes({"to": "4.0"}, {"component": "features", "configs": {"metadata.version": "1"}})
	found["metadata.version"] == ["refused", concat(" ", [
		"Kafka 4.0 runs from level 7 (3.3-IV3) on:",
		"finalise it with kafka-features before the upgrade",
	])]
	_outcomes({"to": "3.9"}, {"component": "features", "configs": {"metadata.version": "1"}}) == {}
}

test_requests if {
	some note in _ask({}).notes
	startswith(note, "Kafka 4.3 no longer takes versions of requests that old clients send: AlterR")
	contains(note, "Fetch below 4, ")
	_ask({"from": "4.1", "to": "4.1"}).notes == []
}

test_types if {
	_ask({"from": "4.1", "to": "4.2"}).notes == [concat(" ", [
		"in Kafka 4.2 configs of brokers have other types:",
		"advertised.listeners list (string before), controller.listener.names list (string before),",
		"early.start.listeners list (string before), listeners list (string before), log.dir list (string before),",
		"log.dirs list (string before)",
	])]
}

test_hosts[note] if {
	some note, tc in {
		"a range": {"host": "10.0.0.0/8", "found": ["reinterpreted", concat("", [
			"Kafka 4.4 reads the host as a range of addresses with 24 open bits of ipv4; until then the ACL matches no client",
		])]},
		"all": {"host": "::/0", "found": ["reinterpreted", concat("", [
			"Kafka 4.4 reads the host as a range of addresses, all of ipv6; until then the ACL matches no client",
		])]},
		"no range": {"host": "10.0.0.0/99", "found": [
			"refused",
			"Invalid CIDR notation '10.0.0.0/99': Value [99] not in range [0,32]",
		]},
	}
	item := {"component": "acl", "configs": {"a": tc.host, "b": "10.0.0.1", "c": "*"}}
	_outcomes({"from": "3.5", "to": "4.4"}, item) == {"a": tc.found}
	_outcomes({"from": "3.5", "to": "4.3"}, item) == {}
	_outcomes({"from": "4.4", "to": "4.4"}, item) == {}
}

test_topics_for_rejected_records[note] if {
	some note, tc in {
		"internal": {"name": "__x", "said": "DLQ topic name must not start with '__'"},
		"a name that rules refuse": {"name": "dlq.BAD", "said": "KFK-NAM-001: topic name \"dlq.BAD\" does not match"},
		"none": {"name": "", "said": ""},
		"as rules want it": {"name": "dlq.good", "said": ""},
	}
	item := {"component": "group", "configs": {"errors.deadletterqueue.topic.name": tc.name}}
	laid := fixtures.compiled(fixtures.settings)
	found := _outcomes({"from": "4.3", "to": "4.4"}, item) with data.settings.compiled as laid
	{outcome | tc.said != ""; outcome := "reinterpreted"} == {outcome |
		some [outcome, message] in found
		contains(message, tc.said)
	}
	_outcomes({"from": "4.2", "to": "4.3"}, item) == {}
}

test_malformed[note] if {
	some note, tc in {
		"a release": {"fields": {"to": "9.9"}, "error": "to: Kafka 9.9 is not known: the newest is 4.4, the oldest 0.8.0"},
		"items": {"fields": {"items": 7}, "error": "items: not an object of key to {component, configs}"},
		"a component": {
			"fields": {"items": {"k": {"component": "x", "configs": {}}}},
			"error": $"items.k: component: \"x\" is not known; known are {concat(", ", sort(scope.components))}",
		},
		"features": {
			"fields": {"items": {"k": {"component": "features", "configs": 7}}},
			"error": "items.k: configs: not an object of name to string or null",
		},
	}
	_ask(tc.fields) == {"errors": [tc.error], "findings": {}, "notes": []}
}

test_revision if {
	plain := _ask({})
	named := _ask({}) with data.catalog.bundle.revision as "abc123"
	named == object.union(plain, {"revision": "abc123"})
	not "revision" in object.keys(plain)
}

test_no_object if {
	answer := upgrade.findings with input as null
	answer.errors == ["the input is not an object: send {from, to, items}"]
}

test_without_input if {
	upgrade.findings.errors == ["the input is missing: send {from, to, items}"]
}

test_releases[note] if {
	some note, tc in {
		"across": {"fields": {"from": "4.3.1", "to": "4.4"}, "n": 3},
		"from the far past": {"fields": {"from": "3.5", "to": "4.4.0"}, "n": 3},
		"before": {"fields": {"from": "4.2", "to": "4.3"}, "n": 0},
		"after": {"fields": {"from": "4.4", "to": "4.4.1"}, "n": 0},
	}
	tc.n == count([said | some said in _ask(tc.fields).notes; startswith(said, "from Kafka 4.4 on ")])
}
