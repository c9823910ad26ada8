package kafka.engine_test

import data.kafka.fixtures_test as fixtures

_replicas(n) := [broker | some broker in numbers.range(1, n)]

_topic_without_configs := object.remove(fixtures.topic, ["configs", "replicasAssignments"])

# A topic with this number of partitions and replicas, and these overrides.
_stored(partitions, replicas, overrides) := object.union(_topic_without_configs, {
	"numPartitions": partitions,
	"replicationFactor": replicas,
	"replicasAssignments": {format_int(partition, 10): _replicas(replicas) |
		some partition in numbers.range(0, partitions - 1)
	},
	"configs": overrides,
})

_whole := {"min.insync.replicas": "2", "retention.bytes": "1073741824"}

_sound(overrides) := object.union(_whole, overrides)

_setting(overrides) := {"configs": {
	"mode": "incremental",
	"ops": [{"name": name, "op": "SET", "value": value} | some name, value in overrides],
}}

_deleting(name) := {"configs": {"mode": "incremental", "ops": [{"name": name, "op": "DELETE"}]}}

_reassigned(partitions, replicas) := {
	"allowReplicationFactorChange": true,
	"reassignments": {format_int(partition, 10): _replicas(replicas) |
		some partition in numbers.range(0, partitions - 1)
	},
}

_brokers[format_int(n, 10)] := {"host": "b", "rack": $"{n}", "configs": {}} if some n in [1, 2, 3]

_cluster_state(fields) := object.union_n([
	object.remove(fixtures.state, ["brokers", "topics"]),
	{"brokers": _brokers, "totals": {
		"topics": 1, "partitions": 6, "replicas": 18, "byBroker": {}, "byOwner": {}, "byPrincipal": {},
	}},
	fields,
])

# The decision about a change of a topic, by the settings as shipped with others laid over them.
_altering(topic, change, over) := _request_decision(
	"AlterTopic",
	object.union({"topic": "shop.orders"}, change),
	{"topics": {"shop.orders": topic}},
	over,
)

_request_decision(operation, request, state, over) := fixtures.decide(
	{
		"operation": operation, "cluster": "prod-eu", "now": fixtures.now,
		"request": request, "clusterState": _cluster_state(state),
	},
	object.union(_shipped, over),
)

_shipped := object.filter(data.settings, ["rules", "clusters", "enforcementPoints", "waivers", "freshness"])

_rule(id, said) := {"rules": object.union(data.settings.rules, {id: object.union(data.settings.rules[id], said)})}

# What was found, caused and is not looked for, by rule.
_causes(decision) := {
	"allowed": decision.allowed,
	"found": _rules_of_cause(decision, "found"),
	"caused": _rules_of_cause(decision, "caused"),
}

_rules_of_cause(decision, cause) := {violation.rule | some violation in decision.violations; violation.cause == cause}

_growing(n) := {"numPartitions": n}

test_what_was_there_before_does_not_deny[note] if {
	some note, tc in {
		"one replica, another config": {
			"topic": _stored(1, 1, {"min.insync.replicas": "1", "retention.bytes": "1073741824"}),
			"change": _setting({"max.message.bytes": "1000000"}),
			"allowed": true, "found": {"KFK-DUR-001", "KFK-DUR-003"},
		},
		"one replica more, and not enough": {
			"topic": _stored(1, 1, _whole), "change": _reassigned(1, 2),
			"allowed": true, "found": {"KFK-DUR-001", "KFK-DUR-002"}, "caused": {"KFK-CHG-006"},
		},
		"one replica less": {
			"topic": _stored(1, 2, {"min.insync.replicas": "1", "retention.bytes": "1073741824"}),
			"change": _reassigned(1, 1),
			"allowed": false, "found": {"KFK-DUR-003"}, "caused": {"KFK-CHG-003", "KFK-CHG-006", "KFK-DUR-001"},
		},
		"min.insync.replicas of the cluster": {
			"topic": _stored(1, 3, {"retention.bytes": "1073741824"}), "change": _setting({"retention.ms": "604800001"}),
			"allowed": true, "found": {"KFK-DUR-003"},
		},
		"retention below the minimum, better": {
			"topic": _stored(1, 3, _sound({"retention.ms": "1000"})), "change": _setting({"retention.ms": "100000"}),
			"allowed": true, "found": {"KFK-RET-001", "KFK-RET-005"},
		},
		"retention below the minimum, worse": {
			"topic": _stored(1, 3, _sound({"retention.ms": "1000"})), "change": _setting({"retention.ms": "500"}),
			"allowed": false, "found": set(), "caused": {"KFK-RET-001", "KFK-RET-005"},
		},
		"retention below the minimum, the same": {
			"topic": _stored(1, 3, _sound({"retention.ms": "1000"})), "change": _setting({"retention.ms": "1000"}),
			"allowed": true, "found": {"KFK-RET-001", "KFK-RET-005"}, "caused": {"KFK-CHG-007"},
		},
		"retention on the other side": {
			"topic": _stored(1, 3, _sound({"retention.ms": "1000"})), "change": _setting({"retention.ms": "2592000001"}),
			"allowed": false, "found": set(), "caused": {"KFK-RET-001"},
		},
		"retention without a limit": {
			"topic": _stored(1, 3, _sound({"retention.ms": "3592000000"})), "change": _setting({"retention.ms": "-1"}),
			"allowed": false, "found": set(), "caused": {"KFK-RET-001"},
		},
		"a limit that is too long": {
			"topic": _stored(1, 3, _sound({"retention.ms": "-1"})), "change": _setting({"retention.ms": "3592000000"}),
			"allowed": false, "found": {"KFK-RET-001"}, "caused": {"KFK-CHG-001"},
		},
		"a limit that is too long, of an empty cleanup.policy": {
			"topic": _stored(1, 3, _sound({"cleanup.policy": ""})),
			"change": _setting({"cleanup.policy": "delete", "retention.ms": "3592000000"}),
			"allowed": false, "found": {"KFK-RET-001"}, "caused": {"KFK-CHG-002"},
		},
		"many partitions, another config": {
			"topic": _stored(600, 3, _whole), "change": _setting({"retention.ms": "700000000"}),
			"allowed": true, "found": {"KFK-SIZ-001"},
		},
		"many partitions, and more": {
			"topic": _stored(600, 3, _whole), "change": _growing(700),
			"allowed": false, "found": set(), "caused": {"KFK-SIZ-001", "KFK-SIZ-005"},
		},
		"lag above its bound, an unrelated key": {
			"topic": object.union(
				_stored(1, 3, _sound({"cleanup.policy": "compact", "segment.ms": "600000"})),
				{"labels": {"dataClass": "personal"}},
			),
			"change": _deleting("segment.ms"),
			"allowed": true, "found": {"KFK-CMP-003"},
		},
		"two, of which one is mended": {
			"topic": _stored(1, 3, _sound({"flush.ms": "1", "flush.messages": "1"})), "change": _deleting("flush.ms"),
			"allowed": true, "found": {"KFK-DUR-008"},
		},
		"no change at all": {
			"topic": _stored(600, 1, {"min.insync.replicas": "1", "retention.bytes": "1073741824", "retention.ms": "1"}),
			"change": {},
			"allowed": true,
			"found": {"KFK-DUR-001", "KFK-DUR-003", "KFK-RET-001", "KFK-RET-005", "KFK-SIZ-001"},
			"caused": {"KFK-CHG-007"},
		},
	}
	decision := _altering(tc.topic, tc.change, {})
	object.union({"caused": set()}, object.remove(tc, ["topic", "change"])) == {
		"allowed": decision.allowed,
		"found": _rules_of_cause(decision, "found"),
		"caused": _rules_of_cause(decision, "caused"),
	}
}

# A, better, is not in the message that denies for B.
test_what_was_found_is_no_reason if {
	topic := _stored(1, 3, _sound({"retention.ms": "1000"}))
	decision := _altering(topic, _setting({"retention.ms": "100000", "min.insync.replicas": "3"}), {})
	decision.errors == ["KFK-DUR-002: min.insync.replicas 3 is above 2, the replication factor 3 less 1"]
	decision.warnings[0] == concat("", [
		"KFK-RET-001: retention.ms 100000 is below the minimum of 3600000 ",
		"(better than before the change: retention.ms 1000 is below the minimum of 3600000)",
	])
}

_single := _stored(1, 1, {"min.insync.replicas": "1", "retention.bytes": "1073741824"})

_unrelated := _setting({"max.message.bytes": "1000000"})

_waiver := {"id": "W-1", "rule": "KFK-DUR-001", "owner": "o", "reason": "r", "expires": "2027-01-01"}

# The settings may have it otherwise, by rule, cluster and enforcement point; none makes it more severe than its mode.
test_effects_of_what_was_found[note] if {
	some note, tc in {
		"as shipped": {"over": {}, "effect": "warn", "cause": "found"},
		"denied": {"over": _rule("KFK-DUR-001", {"found": "deny"}), "effect": "deny", "cause": "found"},
		"in dry run": {"over": _rule("KFK-DUR-001", {"found": "dryrun"}), "effect": "dryrun", "cause": "found"},
		"a rule that warns": {
			"over": _rule("KFK-DUR-001", {"mode": "warn", "found": "deny"}),
			"effect": "warn", "cause": "found",
		},
		"a rule that warns, in dry run": {
			"over": _rule("KFK-DUR-001", {"mode": "warn", "found": "dryrun"}),
			"effect": "dryrun", "cause": "found",
		},
		"a rule in dry run": {"over": _rule("KFK-DUR-001", {"mode": "dryrun"}), "effect": "dryrun", "cause": "found"},
		"of a cluster": {
			"over": {"clusters": [{"match": {"name": "prod-*"}, "rules": {"KFK-DUR-001": {"found": "deny"}}}]},
			"effect": "deny", "cause": "found",
		},
		"of an enforcement point": {
			"over": {"enforcementPoints": {"": {"KFK-DUR-001": {"found": "deny"}}}},
			"effect": "deny", "cause": "found",
		},
		"waived": {"over": {"waivers": [_waiver]}, "effect": "waived", "cause": null},
	}
	decision := _altering(_single, _unrelated, tc.over)
	[[tc.effect, tc.cause]] == [[violation.effect, violation.cause] |
		some violation in decision.violations
		violation.rule == "KFK-DUR-001"
	]
}

_too_long := {"rules": object.union(data.settings.rules, {"KFK-RET-003": {
	"mode": "deny",
	"params": {"labelKey": "dataClass", "byClass": {"*": 400, "internal": 300, "personal": 100}},
}})}

# What labels make wrong is caused, and what they do not is found.
test_labels_that_change[note] if {
	some note, tc in {
		"a class that may be kept less long": {"from": "internal", "to": "personal", "ms": "200", "causes": ["caused"]},
		"longer than either": {"from": "internal", "to": "personal", "ms": "350", "causes": ["caused"]},
		"a class that may be kept longer": {"from": "personal", "to": "internal", "ms": "350", "causes": ["found"]},
		"a class that may be kept as long": {"from": "personal", "to": "internal", "ms": "200", "causes": []},
		"the same class": {"from": "personal", "to": "personal", "ms": "200", "causes": ["found"]},
	}
	topic := object.union(_stored(1, 3, _sound({"retention.ms": tc.ms})), {"labels": {"dataClass": tc.from}})
	decision := _altering(topic, {"labels": {"dataClass": tc.to}}, _too_long)
	tc.causes == _causes_of_rule("KFK-RET-003", decision)
}

# A list of classes says it as well as a limit, and so does a file that reads labels.
test_labels_of_a_rule_without_a_limit[note] if {
	some note, tc in {
		"a class that may be lost, no more": {"from": "scratch", "to": "personal", "causes": ["caused"]},
		"a class that may not be lost, as before": {"from": "internal", "to": "personal", "causes": ["found"]},
	}
	over := _rule("KFK-DUR-005", {"mode": "deny", "params": {"labelKey": "dataClass", "allowClasses": ["scratch"]}})
	topic := object.union(
		_stored(1, 3, _sound({"unclean.leader.election.enable": "true"})),
		{"labels": {"dataClass": tc.from}},
	)
	tc.causes == _causes_of_rule("KFK-DUR-005", _altering(topic, {"labels": {"dataClass": tc.to}}, over))
}

_site_violation := {"rule": "ACME-1", "severity": "high", "message": "m", "fix": "", "path": ["configs"], "patch": []}

_site_reading(paths) := decision if {
	decision := _altering(_stored(1, 3, _whole), _setting({"retention.ms": "700000000"}), {}) with data.site as {
		"rules": {"acme": {"deny": {_site_violation}}},
		"reads": {"acme": paths},
	}
}

# By what its package reads; what is not known to be the same, or is about the request, is caused.
test_a_rule_of_a_site[note] if {
	some note, tc in {
		"another config": {"reads": [["requested", "configs", "x"]], "cause": "found"},
		"this config": {"reads": [["requested", "configs", "retention.ms"]], "cause": "caused"},
		"all configs": {"reads": [["effective", "values"]], "cause": "caused"},
		"all of the input": {"reads": [[], ["requested", "configs", "x"]], "cause": "caused"},
		"who asks": {"reads": [["principal"], ["requested", "configs", "x"]], "cause": "caused"},
		"nothing of what will be": {"reads": [["labels"]], "cause": "caused"},
	}
	decision := _site_reading(tc.reads)
	[tc.cause] == [violation.cause | some violation in decision.violations]
}

# Where it reads the request too, a change that changes nothing is still a change.
test_a_rule_of_a_site_about_no_change[note] if {
	some note, tc in {
		"all of the input": {"reads": [[], ["requested", "configs", "x"]], "cause": "caused"},
		"a config": {"reads": [["requested", "configs", "x"]], "cause": "found"},
	}
	decision := _altering(_stored(1, 3, _whole), {}, {}) with data.site as {
		"rules": {"acme": {"deny": {_site_violation}}},
		"reads": {"acme": tc.reads},
	}
	[tc.cause] == [violation.cause | some violation in decision.violations; violation.rule == "ACME-1"]
}

# A rule of the library whose METADATA says nothing goes by what its file reads.
test_what_a_rule_s_file_reads[note] if {
	some note, tc in {
		"another config": {"change": _unrelated, "cause": "found"},
		"this config": {"change": _setting({"compression.type": "gzip"}), "cause": "caused"},
	}
	over := _rule("KFK-MSG-002", {"mode": "deny", "params": {"allowed": []}})
	decision := _altering(_stored(1, 3, _sound({"compression.type": "lz4"})), tc.change, over) with data.catalog.state as {
		"inputs": {"KFK-MSG-002": [["effective", "values", "compression.type"], ["requested", "internal"]]},
		"rules": {},
		"engine": [],
		"lookups": {},
	}
	[tc.cause] == [violation.cause | some violation in decision.violations; violation.rule == "KFK-MSG-002"]
}

test_a_rule_of_a_site_that_nobody_has_read if {
	decision := _altering(_single, _unrelated, {}) with data.site.rules as {"acme": {"deny": {_site_violation}}}
	"ACME-1" in _rules_of_cause(decision, "caused")
}

# Where nothing but what is waived is broken, nothing is looked at.
test_waived_alone if {
	over := object.union(_rule("KFK-DUR-003", {"mode": "disabled"}), {"waivers": [_waiver]})
	decision := _altering(_single, _unrelated, over)
	[["KFK-DUR-001", "waived", null]] == [[violation.rule, violation.effect, violation.cause] |
		some violation in decision.violations
	]
}

test_a_denial_says_that_it_was_so_before if {
	decision := _altering(_single, _unrelated, _rule("KFK-DUR-001", {"found": "deny"}))
	decision.errors == ["KFK-DUR-001: replication factor 1 is below the minimum of 3 (so before the change)"]
}

# Where nobody knows how it was, all is caused; also where the settings only warn of that.
test_a_state_in_doubt_makes_nothing_found[note] if {
	some note, meta in {
		"too old": {"observedAt": "2026-11-21T09:00:00Z"},
		"not all seen": {"observedAt": "2026-11-21T09:59:58Z", "unknown": ["defaults"]},
	}
	request := object.union({"topic": "shop.orders"}, _unrelated)
	decision := _request_decision("AlterTopic", request, {"topics": {"shop.orders": _single}, "meta": meta}, {})
	_rules_of_cause(decision, "found") == set()
	_rules_of_cause(decision, "caused") == {"KFK-DUR-001", "KFK-DUR-003"}
	decision.allowed == false
}

# What a rule says of one listener is in the same words when another changes: the config is not what it was.
test_the_same_words_about_another_value[note] if {
	some note, tc in {
		"another listener": {"set": {"listeners": "PLAINTEXT://:9092,SASL_SSL://:9094"}, "cause": "caused"},
		"another config": {"set": {"log.cleaner.threads": "2"}, "cause": "found"},
	}
	configs := {"listeners": "PLAINTEXT://:9092,SASL_SSL://:9093"}
	request := object.union({"broker": "1"}, _setting(tc.set))
	decision := _request_decision("AlterBroker", request, _broker({"configs": configs}), {})
	[tc.cause] == [violation.cause | some violation in decision.violations; violation.rule == "KFK-BRK-005"]
}

# What is created, deleted or audited has nothing before it.
test_caused_where_there_is_no_before[operation] if {
	some operation, request in {
		"AuditTopic": {"topic": "shop.orders"},
		"CreateTopic": {"topic": "shop.baskets", "replicationFactor": 1},
	}
	decision := _request_decision(operation, request, {"topics": {"shop.orders": _single}}, {})
	_rules_of_cause(decision, "found") == set()
	"KFK-DUR-001" in _rules_of_cause(decision, "caused")
	decision.allowed == false
}

# A cap is broken by what is added to it.
test_caps[note] if {
	some note, tc in {
		"nothing is added": {"change": _unrelated, "allowed": true, "caused": set()},
		"growth": {"change": _growing(2), "allowed": false, "caused": {"KFK-SIZ-002"}},
	}
	decision := _request_decision(
		"AlterTopic",
		object.union({"topic": "shop.orders"}, tc.change),
		{
			"topics": {"shop.orders": _stored(1, 3, _whole)},
			"totals": {
				"topics": 1, "partitions": 70000, "replicas": 210000,
				"byBroker": {}, "byOwner": {}, "byPrincipal": {},
			},
		},
		_rule("KFK-SIZ-008", {"mode": "disabled"}),
	)
	{"allowed": tc.allowed, "found": set(), "caused": tc.caused} == _causes(decision)
}

_broker(fields) := {"brokers": {"1": object.union({"host": "b", "rack": "a", "configs": {}}, fields)}}

# A broker with Kafka's default file; a closed one has nothing against it.
test_brokers[note] if {
	defaults := {"KFK-BRK-001", "KFK-BRK-002", "KFK-BRK-005", "KFK-BRK-007"}
	some note, tc in {
		"threads": {"set": {"log.cleaner.threads": "2"}, "allowed": true, "found": defaults},
		"a throttle": {"set": {"leader.replication.throttled.rate": "1000000"}, "allowed": true, "found": defaults},
		"a default that gets worse": {
			"set": {"min.insync.replicas": "0"},
			"allowed": false, "found": defaults,
		},
		"topics are made by themselves": {
			"configs": {"auto.create.topics.enable": "false"},
			"set": {"auto.create.topics.enable": "true"},
			"allowed": false, "found": defaults - {"KFK-BRK-001"},
		},
	}
	request := object.union({"broker": "1"}, _setting(tc.set))
	decision := _request_decision("AlterBroker", request, _broker({"configs": object.get(tc, "configs", {})}), {})
	[tc.allowed, tc.found] == [decision.allowed, _rules_of_cause(decision, "found")]
}
