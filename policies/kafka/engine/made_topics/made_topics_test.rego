package kafka.engine.made_topics_test

import data.kafka.fixtures_test as fixtures

_group_key := "errors.deadletterqueue.topic.name"

_makes := "errors.deadletterqueue.auto.create.topics.enable"

_prefix := "errors.deadletterqueue.topic.name.prefix"

_brokers(overrides) := {id: {"host": "b", "rack": id, "configs": overrides} | some id in ["1", "2", "3"]}

_auto_brokers := _brokers({_makes: "true"})

_groups := {"group": {
	"g": {_group_key: "dlq.Bad"},
	"h": {_group_key: "dlq.worse_"},
	"i": {"share.session.timeout.ms": "50000"},
	"j": {_group_key: "other.Bad"},
	"k": {_group_key: ""},
}}

_decide(operation, request, state, over) := fixtures.decide(
	{
		"operation": operation, "cluster": "prod-eu", "now": fixtures.now, "request": request,
		"clusterState": {name: part |
			some name in ((object.keys(fixtures.state) | {"resourceConfigs"}) | object.keys(state))
			part := object.get(state, name, object.get(fixtures.state, name, _groups))
		},
	},
	over,
)

_change(ops) := {"mode": "incremental", "ops": [{"name": name, "op": "SET", "value": value} | some name, value in ops]}

_naming(name) := {"resource": {"type": "group", "name": "n"}, "configs": _change({_group_key: name})}

_said(decision) := {violation.rule: violation.message | some violation in decision.violations}

_wrong := "topic name \"dlq.Bad\" does not match the convention ^[a-z]+(\\.[a-z]+)+$"

_dead_topic_text := "for the topic dlq.Bad, which brokers make for rejected records"

_few := {"num.partitions": "1", "default.replication.factor": "1"}

test_a_group_names_a_topic[note] if {
	bad := {"KFK-NAM-001": $"{_wrong}, {_dead_topic_text}"}
	some note, tc in {
		"that brokers make": {"name": "dlq.Bad", "state": {"brokers": _auto_brokers}, "said": bad},
		"that any of the brokers makes": {
			"name": "dlq.Bad",
			"state": {"brokers": object.union(_brokers({}), {"3": {"configs": {_makes: "true"}}})},
			"said": bad,
		},
		"by a default of all brokers": {
			"name": "dlq.Bad",
			"state": {"brokers": object.union(_brokers({}), {"": {"configs": {_makes: "true"}}})},
			"said": bad,
		},
		"where no broker is known": {"name": "dlq.Bad", "state": {"brokers": {}}, "said": bad},
		"where a broker tells nothing": {
			"name": "dlq.Bad",
			"state": {"brokers": object.union(_brokers({}), {"4": {"host": "b"}})},
			"said": bad,
		},
		"that no broker makes": {"name": "dlq.Bad", "state": {"brokers": _brokers({})}, "said": {}},
		"without the prefix": {"name": "other.Bad", "state": {"brokers": _auto_brokers}, "said": {}},
		"with another prefix": {
			"name": "other.Bad",
			"state": {"brokers": _brokers({_makes: "true", _prefix: "other."})},
			"said": {"KFK-NAM-001": replace($"{_wrong}, {_dead_topic_text}", "dlq.Bad", "other.Bad")},
		},
		"that is there": {
			"name": "dlq.Bad",
			"state": {"brokers": _auto_brokers, "topics": {"dlq.Bad": fixtures.topic}},
			"said": {},
		},
		"that is as rules want it": {"name": "dlq.good", "state": {"brokers": _auto_brokers}, "said": {}},
		"that gets too few replicas": {
			"name": "dlq.good",
			"state": {"brokers": _auto_brokers, "defaults": _few},
			"said": {"KFK-DUR-001": concat(" ", [
				"replication factor 1 is below the minimum of 3,",
				"for the topic dlq.good, which brokers make for rejected records",
			])},
		},
		"of no name": {"name": "", "state": {"brokers": _auto_brokers}, "said": {}},
		"as before": {
			"name": "dlq.Bad",
			"state": {"brokers": _auto_brokers, "resourceConfigs": {"group": {"n": {_group_key: "dlq.Bad"}}}},
			"said": {},
		},
	}
	decision := _decide("AlterConfig", _naming(tc.name), tc.state, {})
	[tc.said, tc.said == {}] == [_said(decision), decision.allowed]
}

test_where_it_is_said if {
	[violation] := _decide("AlterConfig", _naming("dlq.Bad"), {"brokers": _auto_brokers}, {}).violations
	violation.path == ["configs", _group_key]
	violation.patch == []
	violation.cause == "caused"
	startswith(violation.fix, "name a topic that the rules allow, or create dlq.Bad before brokers do: choose a name ")
}

test_waived if {
	waiver := {
		"id": "w", "rule": "KFK-NAM-001", "topic": "dlq.*", "expires": "2026-12-24",
		"owner": "o", "reason": "r", "ticket": "t",
	}
	decision := _decide("AlterConfig", _naming("dlq.Bad"), {"brokers": _auto_brokers}, {"waivers": [waiver]})
	[decision.allowed, decision.violations] == [true, []]
}

test_other_resources if {
	request := {
		"resource": {"type": "client-metrics", "name": "n"},
		"configs": _change({"interval.ms": "1000"}),
	}
	_decide("AlterConfig", request, {"brokers": _auto_brokers}, {}).allowed
}

test_a_rule_of_a_site if {
	site := {"s": {"deny": {{"rule": "SITE-1", "message": "never"}}}}
	decision := _decide("AlterConfig", _naming("dlq.good"), {"brokers": _auto_brokers}, {}) with data.site.rules as site
	{"never", $"never, for the topic dlq.good, which brokers make for rejected records"} == {violation.message |
		some violation in decision.violations
	}
}

_many_topics_text := {"KFK-NAM-001": $"{_wrong}, {_dead_topic_text} (and 1 more such)"}

test_brokers_are_set_up_to_make_them[note] if {
	some note, tc in {
		"at runtime": {
			"operation": "AlterBroker",
			"request": {"broker": "", "configs": _change({_makes: "true"})},
			"state": {"brokers": _brokers({})},
			"said": _many_topics_text,
			"path": ["configs", _makes],
		},
		"which they are already": {
			"operation": "AlterBroker",
			"request": {"broker": "", "configs": _change({_makes: "true"})},
			"state": {"brokers": object.union(_auto_brokers, {"": {"configs": {_makes: "true"}}})},
			"said": {},
		},
		"of another prefix": {
			"operation": "AlterBroker",
			"request": {"broker": "", "configs": _change({_prefix: "other."})},
			"state": {"brokers": object.union(_brokers({}), {"": {"configs": {_makes: "true"}}})},
			"said": {"KFK-NAM-001": replace($"{_wrong}, {_dead_topic_text}", "dlq.Bad", "other.Bad")},
			"path": ["configs", _prefix],
		},
		"to make none": {
			"operation": "AlterBroker",
			"request": {"broker": "", "configs": _change({_makes: "false"})},
			"state": {"brokers": object.union(_brokers({}), {"": {"configs": {_makes: "true"}}})},
			"said": {},
		},
		"while they make none": {
			"operation": "AlterBroker",
			"request": {"broker": "", "configs": _change({_prefix: "other."})},
			"state": {"brokers": _brokers({})},
			"said": {},
		},
		"where groups name none": {
			"operation": "AlterBroker",
			"request": {"broker": "", "configs": _change({_makes: "true"})},
			"state": {"brokers": _brokers({}), "resourceConfigs": {"group": {}}},
			"said": {},
		},
		"when one starts": {
			"operation": "StartBroker",
			"request": {"broker": "4", "configs": {"default.replication.factor": "3", _makes: "true"}},
			"state": {"brokers": _brokers({})},
			"said": _many_topics_text,
			"path": ["configs", _makes],
		},
		"when one starts as the others are": {
			"operation": "StartBroker",
			"request": {"broker": "4", "configs": {"default.replication.factor": "3", _makes: "true"}},
			"state": {"brokers": object.union(_brokers({}), {"": {"configs": {_makes: "true"}}})},
			"said": {},
		},
	}
	decision := _decide(tc.operation, tc.request, object.union(tc.state, {"topics": {}}), {})
	tc.said == _said(decision)
	{path | path := tc.path} == {violation.path | some violation in decision.violations}
}

test_what_the_state_may_not_see[note] if {
	some note, tc in {
		"of a group that names one": {"ops": {_group_key: "dlq.good"}, "n": 1},
		"of a group that names none": {"ops": {"share.session.timeout.ms": "50000"}, "n": 0},
	}
	unknown := {"meta": object.union(fixtures.state.meta, {"unknown": ["topics"]}), "brokers": _auto_brokers}
	request := {"resource": {"type": "group", "name": "n"}, "configs": _change(tc.ops)}
	read := {"engine": ["topics"], "rules": {}}
	decision := _decide("AlterConfig", request, unknown, {}) with data.catalog.state as read
	tc.n == count([line | some line in decision.errors; startswith(line, "unknown: ")])
}

test_the_whole_of_a_group if {
	request := {
		"resource": {"type": "group", "name": "n"},
		"configs": {"mode": "full", "entries": {_group_key: "dlq.Bad"}},
	}
	unknown := {"meta": object.union(fixtures.state.meta, {"unknown": ["topics"]}), "brokers": _auto_brokers}
	read := {"engine": ["topics"], "rules": {}}
	decision := _decide("AlterConfig", request, unknown, {}) with data.catalog.state as read
	count(decision.errors) == 2
}

# A topic that is there is audited as any other, whoever made it.
test_those_that_are_there if {
	topic := object.union(object.remove(fixtures.topic, ["replicasAssignments"]), {
		"replicationFactor": 1, "numPartitions": 1,
		"replicasAssignments": {"0": [1]},
		"configs": {"errors.deadletterqueue.group.enable": "true", "message.timestamp.type": "CreateTime"},
	})
	decision := _decide("AuditTopic", {"topic": "dlq.BAD"}, {"topics": {"dlq.BAD": topic}}, {})
	{"KFK-DUR-001", "KFK-NAM-001"} - object.keys(_said(decision)) == set()
}
