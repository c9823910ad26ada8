package kafka.engine.topic_defaults_test

import data.kafka.fixtures_test as fixtures

# A topic of three replicas with these overrides.
_topic(overrides) := object.union(object.remove(fixtures.topic, ["configs", "replicasAssignments"]), {
	"numPartitions": 1,
	"replicasAssignments": {"0": [1, 2, 3]},
	"configs": overrides,
})

_brokers[id] := {"host": "b", "rack": id, "configs": {}} if some id in ["1", "2", "3"]

_state(fields) := object.union_n([
	object.remove(fixtures.state, ["brokers", "defaults", "topics"]),
	{"brokers": _brokers, "defaults": {}, "topics": {}},
	fields,
])

_shipped := object.filter(data.settings, ["rules", "clusters", "enforcementPoints", "waivers", "freshness"])

_decide(operation, request, state, over) := fixtures.decide(
	{
		"operation": operation, "cluster": "prod-eu", "now": fixtures.now,
		"request": request, "clusterState": state,
	},
	object.union(_shipped, over),
)

_setting(broker, overrides) := {"broker": broker, "configs": {
	"mode": "incremental",
	"ops": [{"name": name, "op": "SET", "value": value} | some name, value in overrides],
}}

_deleting(name) := {"broker": "", "configs": {"mode": "incremental", "ops": [{"name": name, "op": "DELETE"}]}}

# What is said of topics: by rule, the effect, the cause, how many, of which, and whether of every new one.
_topic_outcomes(decision) := {violation.rule: said |
	some violation in decision.violations
	topics := violation.topics
	said := [violation.effect, violation.cause, topics.count, topics.names, topics.everyNew]
}

_topics := {
	"a.b": _topic({}),
	"a.c": _topic({"min.insync.replicas": "2"}),
	"a.d": _topic({"retention.ms": "604800000"}),
}

_shrunk := {
	"KFK-CHG-001": ["deny", "caused", 2, ["a.b", "a.c"], false],
	"KFK-RET-001": ["deny", "caused", 2, ["a.b", "a.c"], true],
	"KFK-RET-005": ["warn", "caused", 2, ["a.b", "a.c"], true],
}

_new_alone := {
	"KFK-RET-001": ["deny", "caused", 0, [], true],
	"KFK-RET-005": ["warn", "caused", 0, [], true],
}

test_what_a_change_of_the_brokers_does_to_topics[note] if {
	some note, tc in {
		"retention of the cluster": {
			"request": _setting("", {"log.retention.ms": "1"}), "state": {"topics": _topics}, "said": _shrunk,
		},
		"within bounds": {
			"request": _setting("", {"log.retention.ms": "700000000"}), "state": {"topics": _topics}, "said": {},
		},
		"no default of topics": {
			"request": _setting("", {"log.cleaner.threads": "2"}), "state": {"topics": _topics}, "said": {},
		},
		"larger messages": {
			"request": _setting("", {"message.max.bytes": "104857600"}),
			"state": {"topics": _topics},
			"said": {"KFK-MSG-001": ["deny", "caused", 3, ["a.b", "a.c", "a.d"], true]},
		},
		"no topics yet": {"request": _setting("", {"log.retention.ms": "1"}), "state": {}, "said": _new_alone},
		"topics that nobody knows": {
			"request": _setting("", {"log.retention.ms": "1"}), "state": {}, "without": ["defaults", "topics"],
			"said": object.union(_new_alone, {"KFK-CHG-001": ["deny", "caused", 0, [], true]}),
		},
		"no topics": {
			"request": _setting("", {"log.retention.ms": "1"}), "state": {},
			"said": _new_alone,
		},
		"the same as before": {
			"request": _setting("", {"log.retention.ms": "604800000"}), "state": {"topics": _topics}, "said": {},
		},
		"what every topic sets": {
			"request": _setting("", {"min.insync.replicas": "4"}),
			"state": {"topics": {"a.c": _topics["a.c"]}}, "said": {},
		},
		"above what topics have of replicas": {
			"request": _setting("", {"min.insync.replicas": "3"}),
			"state": {"topics": _topics, "defaults": {"default.replication.factor": "3"}},
			"said": {"KFK-DUR-002": ["deny", "caused", 2, ["a.b", "a.d"], true]},
		},
		"back to what was in the files": {
			"request": _deleting("log.retention.ms"),
			"state": {"topics": _topics, "defaults": {"retention.ms": "1209600000"}, "brokers": object.union(_brokers, {
				"": {"configs": {"log.retention.ms": "1209600000"}},
				"1": {"host": "b", "rack": "1", "configs": {"log.retention.ms": "1209600000", "log.retention.hours": "1"}},
			})},
			"said": {
				"KFK-CHG-001": ["deny", "caused", 2, ["a.b", "a.c"], false],
				"KFK-RET-005": ["warn", "caused", 2, ["a.b", "a.c"], true],
			},
		},
		"a limit where there was none, however that was written": {
			"request": _setting("", {"log.retention.ms": "3600000"}),
			"state": {"topics": {"a.b": _topic({})}, "brokers": {"": {"configs": {"log.retention.ms": "-5"}}}},
			"said": {
				"KFK-CHG-001": ["deny", "caused", 1, ["a.b"], false],
				"KFK-RET-005": ["warn", "caused", 1, ["a.b"], true],
			},
		},
		"better than before": {
			"request": _setting("", {"log.retention.ms": "100000"}),
			"state": {"topics": _topics, "defaults": {"retention.ms": "1000"}},
			"said": {
				"KFK-RET-001": ["warn", "found", 2, ["a.b", "a.c"], true],
				"KFK-RET-005": ["warn", "found", 2, ["a.b", "a.c"], true],
			},
		},
		"worse than before": {
			"request": _setting("", {"log.retention.ms": "500"}),
			"state": {"topics": _topics, "brokers": {"": {"configs": {"log.retention.ms": "1000"}}}},
			"said": {
				"KFK-RET-001": ["deny", "caused", 2, ["a.b", "a.c"], true],
				"KFK-RET-005": ["warn", "caused", 2, ["a.b", "a.c"], true],
			},
		},
		"compaction of what holds events": {
			"request": _setting("", {"log.cleanup.policy": "compact"}), "state": {"topics": {"a.b": _topic({})}},
			"said": {"KFK-CHG-002": ["deny", "caused", 1, ["a.b"], false]},
		},
		"unclean elections": {
			"request": _setting("", {"unclean.leader.election.enable": "true"}),
			"state": {"topics": {"a.b": _topic({})}},
			"said": {
				"KFK-CHG-003": ["deny", "caused", 1, ["a.b"], false],
				"KFK-DUR-005": ["deny", "caused", 1, ["a.b"], true],
			},
		},
		"one broker, for the topics that it has": {
			"request": _setting("3", {"log.retention.ms": "1"}),
			"state": {"topics": object.union(_topics, {"a.b": object.union(
				object.remove(_topic({}), ["replicasAssignments"]),
				{"replicasAssignments": {"0": [1, 2]}},
			)})},
			"said": object.union(_shrunk, {
				"KFK-CHG-001": ["deny", "caused", 1, ["a.c"], false],
				"KFK-RET-001": ["deny", "caused", 1, ["a.c"], true],
				"KFK-RET-005": ["warn", "caused", 1, ["a.c"], true],
			}),
		},
		"more than are named": {
			"request": _setting("", {"unclean.leader.election.enable": "true"}),
			"state": {"topics": {$"a.{n}": _topic({}) | some n in numbers.range(1, 7)}},
			"said": {
				"KFK-CHG-003": ["deny", "caused", 7, ["a.1", "a.2", "a.3", "a.4", "a.5"], false],
				"KFK-DUR-005": ["deny", "caused", 7, ["a.1", "a.2", "a.3", "a.4", "a.5"], true],
			},
		},
		"those that are waived": {
			"request": _setting("", {"log.retention.ms": "1"}), "state": {"topics": _topics},
			"over": {"waivers": [{
				"id": "W-1", "rule": "KFK-RET-001", "topic": "a.b",
				"owner": "a", "reason": "b", "expires": "2027-01-01",
			}]},
			"said": object.union(_shrunk, {"KFK-RET-001": ["deny", "caused", 1, ["a.c"], true]}),
		},
		"those of a tool, which sets its retention and not its segments": {
			"request": _setting("", {"log.roll.ms": "691200000"}),
			"state": {"topics": {name: _topic({"cleanup.policy": "compact,delete", "retention.ms": "172800000"}) |
				some name in ["a.b", "a-w-changelog"]
			}},
			"over": {"ecosystem": {"streams": {}}},
			"said": {"KFK-RET-005": ["warn", "caused", 1, ["a.b"], true]},
		},
		"configs that nobody knows": {
			"request": _setting("", {"unclean.leader.election.enable": "true"}),
			"state": {"topics": {"a.b": object.remove(_topic({}), ["configs"])}},
			"said": {
				"KFK-CHG-003": ["deny", "caused", 1, ["a.b"], false],
				"KFK-DUR-005": ["deny", "caused", 1, ["a.b"], true],
			},
		},
	}
	state := object.remove(_state(tc.state), object.get(tc, "without", []))
	decision := _decide("AlterBroker", tc.request, state, object.get(tc, "over", {}))
	tc.said == _topic_outcomes(decision)
}

# A file that is sound but for what is laid over it.
_file(over) := object.union(
	{
		"authorizer.class.name": "A",
		"auto.create.topics.enable": "false",
		"default.replication.factor": "3",
		"listeners": "SSL://:9093",
		"listener.security.protocol.map": "SSL:SSL,CONTROLLER:SSL",
		"controller.listener.names": "CONTROLLER",
		"controller.quorum.bootstrap.servers": "c1:9093",
		"security.inter.broker.protocol": "SSL",
		"ssl.client.auth": "required",
		"process.roles": "broker",
		"node.id": "1",
		"min.insync.replicas": "2",
	},
	over,
)

_defaults := {"default.replication.factor": "3", "min.insync.replicas": "2"}

test_what_a_file_does_to_topics[note] if {
	some note, tc in {
		"as the cluster has it": {"file": {}, "state": {"topics": _topics, "defaults": _defaults}, "said": {}},
		"retention in milliseconds": {
			"file": {"log.retention.ms": "1"}, "state": {"topics": _topics, "defaults": _defaults}, "said": _shrunk,
		},
		"minutes before hours": {
			"file": {"log.retention.minutes": "1", "log.retention.hours": "168"},
			"state": {"topics": _topics, "defaults": _defaults}, "said": _shrunk,
		},
		"for ever, in hours": {
			"file": {"log.retention.hours": "-2"}, "state": {"topics": _topics, "defaults": _defaults},
			"said": {
				"KFK-RET-001": ["deny", "caused", 2, ["a.b", "a.c"], true],
				"KFK-RET-002": ["warn", "caused", 2, ["a.b", "a.c"], true],
			},
		},
		"what all brokers share comes first": {
			"file": {"log.retention.ms": "1"},
			"state": {
				"topics": _topics, "defaults": _defaults,
				"brokers": object.union(_brokers, {"": {"configs": {"log.retention.ms": "604800000"}}}),
			},
			"said": {},
		},
		"what is broken already": {
			"file": {"log.retention.ms": "2"},
			"state": {"topics": _topics, "defaults": object.union(_defaults, {"retention.ms": "1"})}, "said": {},
		},
		"numbers of topics that are created without": {
			"file": {"num.partitions": "101", "default.replication.factor": "1"},
			"state": {"topics": _topics, "defaults": _defaults},
			"said": {
				"KFK-DUR-001": ["deny", "caused", 0, [], true],
				"KFK-DUR-002": ["deny", "caused", 0, [], true],
				"KFK-SIZ-001": ["deny", "caused", 0, [], true],
			},
		},
		"brokers that nobody knows": {
			"file": {"log.retention.ms": "1"}, "state": {"topics": _topics, "defaults": _defaults}, "without": ["brokers"],
			"said": _shrunk,
		},
		"defaults that nobody knows": {
			"file": {"log.retention.ms": "1"}, "state": {"topics": _topics}, "without": ["defaults"], "said": {},
		},
	}
	state := object.remove(_state(tc.state), object.get(tc, "without", []))
	decision := _decide("StartBroker", {"broker": "1", "configs": _file(tc.file)}, state, {})
	[tc.said, []] == [_topic_outcomes(decision), [error | some error in decision.errors; not startswith(error, "KFK-")]]
}

# One violation for one thing: what brokers have against it is left out where topics say it as severely.
test_what_is_said_once[note] if {
	some note, tc in {
		"as severe": {"value": "1", "modes": {}, "rules": {"KFK-BRK-004", "KFK-RET-001", "KFK-RET-005"}},
		"milder": {
			"value": "1", "modes": {"KFK-BRK-003": "deny", "KFK-RET-001": "warn"},
			"rules": {"KFK-BRK-003", "KFK-BRK-004", "KFK-RET-001", "KFK-RET-005"},
		},
		"not at all": {"value": "3600000", "modes": {}, "rules": {"KFK-BRK-004", "KFK-RET-005"}},
		"by nobody": {
			"value": "1", "modes": {"KFK-RET-001": "disabled", "KFK-RET-005": "disabled"},
			"rules": {"KFK-BRK-003", "KFK-BRK-004"},
		},
	}
	rules := object.union(data.settings.rules, {id: {"mode": mode} | some id, mode in tc.modes})
	decision := _decide("AlterBroker", _setting("", {"log.retention.ms": tc.value}), _state({}), {"rules": rules})
	tc.rules == {violation.rule | some violation in decision.violations}
}

test_what_is_said_once_of_numbers if {
	file := _file({"num.partitions": "101"})
	decision := _decide("StartBroker", {"broker": "1", "configs": file}, _state({"defaults": _defaults}), {})
	{violation.rule | some violation in decision.violations} == {"KFK-SIZ-001"}
}

test_the_words[note] if {
	below := "KFK-RET-001: retention.ms 1 is below the minimum of 3600000, for"
	some note, tc in {
		"new ones": {"topics": {}, "error": $"{below} every new topic that inherits log.retention.ms"},
		"one": {
			"topics": {"a.b": _topic({})},
			"error": $"{below} 1 topic that inherits log.retention.ms (a.b) and every new one",
		},
		"many": {
			"topics": {$"a.{n}": _topic({}) | some n in numbers.range(1, 6)},
			"error": concat(" ", [
				below, "6 topics that inherit log.retention.ms (a.1, a.2, a.3, a.4, a.5 and 1 more) and every new one",
			]),
		},
	}
	decision := _decide("AlterBroker", _setting("", {"log.retention.ms": "1"}), _state({"topics": tc.topics}), {})
	tc.error in decision.errors
}

test_the_words_of_topics_that_nobody_knows if {
	state := object.remove(_state({}), ["topics"])
	decision := _decide("AlterBroker", _setting("", {"log.retention.ms": "1"}), state, {})
	decision.errors == [
		concat(" ", [
			"KFK-CHG-001: retention.ms shrinks from 604800000 to 1, below the 302400000 that needs no approval, for every",
			"topic that inherits log.retention.ms: which there are is not known",
		]),
		concat(" ", [
			"KFK-RET-001: retention.ms 1 is below the minimum of 3600000, for every topic that inherits log.retention.ms:",
			"which there are is not known",
		]),
	]
}

test_the_words_of_several if {
	topics := {"a.b": _topic({"segment.ms": "7200000"}), "a.c": _topic({})}
	decision := _decide("AlterBroker", _setting("", {"log.retention.ms": "3600000"}), _state({"topics": topics}), {})
	line := concat("", [
		"KFK-RET-005: segment.ms 7200000 is above retention.ms 3600000: records outlive their retention until the segment ",
		"rolls (others differ in what they set themselves), for 2 topics that inherit log.retention.ms (a.b, a.c) and ",
		"every new one",
	])
	line in decision.warnings
}

test_the_words_of_what_was_there[note] if {
	above := "retention.ms -1, as which an empty cleanup.policy counts, is above the maximum of 2592000000"
	some note, tc in {
		"better": {
			"defaults": {"retention.ms": "10"}, "value": "11",
			"line": concat(" ", [
				"KFK-RET-001: retention.ms 11 is below the minimum of 3600000, for every new topic that inherits",
				"log.retention.ms (better than before the change: retention.ms 10 is below the minimum of 3600000)",
			]),
		},
		"the same": {
			"defaults": {"cleanup.policy": ""}, "value": "3600000",
			"line": $"KFK-RET-001: {above}, for every new topic that inherits log.retention.ms (so before the change)",
		},
	}
	state := _state({"defaults": tc.defaults})
	tc.line in _decide("AlterBroker", _setting("", {"log.retention.ms": tc.value}), state, {}).warnings
}

# What a site's rule only warns of denies nothing here either, and hides no denial of the same rule.
test_effects_of_a_site_rule if {
	said := {"rule": "SITE-1", "path": ["configs", "retention.ms"]}
	rules := {"a": {"deny": {
		object.union(said, {"message": $"a {input.effective.values["retention.ms"]}", "effect": "warn"}),
		object.union(said, {"message": $"b {input.effective.values["retention.ms"]}"}),
	}}}
	state := _state({"topics": {"a.b": _topic({})}})
	setting := _setting("", {"log.retention.ms": "700000000"})
	decision := _decide("AlterBroker", setting, state, {}) with data.site.rules as rules
	{"deny", "warn"} == {violation.effect | some violation in decision.violations; violation.rule == "SITE-1"}
}

# What rules of a site's own say is like the library's; what is the same before and after, and names nothing of the
# change, says nothing of it.
test_rules_of_a_site if {
	state := _state({"topics": {"a.b": _topic({}), "a.c": _topic({"retention.ms": "604800000"})}})
	rules := {"a": {"deny": {{"rule": "SITE-1", "message": "m", "path": ["configs", "retention.ms"]}, "a bare message"}}}
	change := _setting("", {"log.retention.ms": "700000000"})
	decision := _decide("AlterBroker", change, state, {}) with data.site.rules as rules
	_topic_outcomes(decision) == {"SITE-1": ["warn", "found", 1, ["a.b"], true]}
}
