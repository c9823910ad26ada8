package kafka.engine_test

import data.kafka.fixtures_test as fixtures

# What the bundle says that rules read, as checks.state finds it.
_state := {
	"rules": {"KFK-SIZ-002": ["totals"], "KFK-SIZ-001": []},
	"inputs": {
		"KFK-DUR-001": [["requested", "replicationFactor"]],
		"KFK-NAM-001": [["topic"]],
		"KFK-RET-001": [["effective", "values", "retention.ms"], ["labels"]],
		"KFK-SIZ-001": [["requested", "numPartitions"]],
		"KFK-SIZ-002": [["requested"]],
		"KFK-DUR-003": [["effective", "values"]],
		"KFK-CHG-001": [["requested", "numPartitions"]],
	},
}

_modes := {"rules": {
	"KFK-RET-001": {"mode": "deny", "params": {"min": 1000, "max": 604800000, "justifyLabel": "why"}},
	"KFK-DUR-003": {"mode": "deny", "params": {"min": 2}},
	"KFK-SIZ-002": {"mode": "disabled", "params": {"max": 1}},
	"KFK-CHG-001": {"mode": "deny"},
}}

_catalog[id] := {"operations": operations} if {
	some id, _ in _state.inputs
	operations := object.get({"KFK-CHG-001": ["AlterTopic"]}, id, ["CreateTopic"]) # one that this operation has not
}

_left_out(pointers, request) := decision if {
	document := fixtures.document({"unknown": pointers, "request": object.union({"topic": "shop.baskets"}, request)})
	decision := fixtures.decide(document, _modes) with data.catalog.state as _state with data.catalog.rules as _catalog
}

test_rules_that_read_what_is_not_known[note] if {
	some note, tc in {
		"nothing": {"unknown": [], "left out": []},
		"a config": {"unknown": ["/request/configs/retention.ms"], "left out": ["KFK-DUR-003", "KFK-RET-001"]},
		"another config": {"unknown": ["/request/configs/a~1b"], "left out": ["KFK-DUR-003"]},
		"all configs": {"unknown": ["/request/configs"], "left out": ["KFK-DUR-003", "KFK-RET-001"]},
		"partitions": {"unknown": ["/request/numPartitions"], "left out": ["KFK-SIZ-001"]},
		"a label": {"unknown": ["/request/labels/why"], "left out": ["KFK-RET-001"]},
		"a part of the state": {"unknown": ["/clusterState/totals"], "left out": []},
	}
	decision := _left_out(tc.unknown, {})
	[row.rule | some row in decision.notEvaluated] == tc["left out"]
}

# By what the shipped rules read, be they evaluated of the request, of what topics inherit, or of what brokers make.
test_what_shipped_rules_read[note] if {
	group := {"resource": {"type": "group", "name": "g"}, "configs": {"mode": "full", "entries": {}}}
	some note, tc in {
		"a default of topics": {
			"operation": "StartBroker", "request": {"broker": "1", "configs": {}},
			"unknown": "/request/configs/min.insync.replicas",
			"rules": {"KFK-DUR-002", "KFK-DUR-003", "KFK-RET-001"},
		},
		"a default by its name of brokers": {
			"operation": "AlterBroker", "request": {"broker": "", "configs": {"mode": "full", "entries": {}}},
			"unknown": "/request/configs/log.retention.hours", "rules": {"KFK-DUR-003", "KFK-RET-001"},
		},
		"a default of what a creation leaves out": {
			"operation": "StartBroker", "request": {"broker": "1", "configs": {}},
			"unknown": "/request/configs/num.partitions", "rules": {"KFK-SIZ-001"},
		},
		"all configs of a broker": {
			"operation": "StartBroker", "request": {"broker": "1", "configs": {}},
			"unknown": "/request/configs", "rules": _enabled,
		},
		"which broker": {
			"operation": "AlterBroker", "request": {"broker": "", "configs": {"mode": "full", "entries": {}}},
			"unknown": "/request/broker", "rules": _enabled,
		},
		"operations of a quota": {
			"operation": "AlterQuota", "request": {"entity": {"user": "alice"}, "ops": []},
			"unknown": "/request/ops", "rules": {"KFK-QTA-001"},
		},
		"no default": {
			"operation": "StartBroker", "request": {"broker": "1", "configs": {}},
			"unknown": "/request/configs/log.dirs", "rules": set(),
		},
		"which topic brokers make": {
			"operation": "AlterConfig", "request": group,
			"unknown": "/request/configs/errors.deadletterqueue.topic.name", "rules": _enabled,
		},
		"all configs of a group": {
			"operation": "AlterConfig", "request": group,
			"unknown": "/request/configs", "rules": _enabled,
		},
		"another config of a group": {
			"operation": "AlterConfig", "request": group,
			"unknown": "/request/configs/share.session.timeout.ms", "rules": set(),
		},
		"which group": {
			"operation": "AlterConfig", "request": group,
			"unknown": "/request/resource", "rules": _enabled,
		},
		"a name alone": {
			"operation": "AuditTopicName", "request": {"topic": "a.b", "internal": false},
			"unknown": "/request/topic", "rules": {"KFK-NAM-001", "KFK-NAM-003"},
		},
		"the name of a new topic": {
			"operation": "CreateTopic", "request": {"topic": "a.b"},
			"unknown": "/request/topic", "rules": {"KFK-NAM-001", "KFK-NAM-003", "KFK-RET-001"},
		},
		"which topic": {
			"operation": "AlterTopic", "request": {"topic": "shop.orders"},
			"unknown": "/request/topic", "rules": _enabled - {"KFK-NAM-001", "KFK-NAM-003"},
		},
		"where replicas are": {
			"operation": "CreateTopic", "request": {"topic": "a.b"},
			"unknown": "/request/replicasAssignments", "rules": {"KFK-DUR-001", "KFK-DUR-002", "KFK-SIZ-001"},
		},
		"the cluster's defaults": {
			"operation": "CreateTopic", "request": {"topic": "a.b"},
			"unknown": "/clusterState/defaults", "rules": _enabled - {"KFK-NAM-001", "KFK-NAM-003"},
		},
		"labels that names tell": {
			"operation": "CreateTopic", "request": {"topic": "a.b"},
			"unknown": "/clusterState/labelPatterns", "rules": {"KFK-RET-001"},
		},
	}
	document := fixtures.document({
		"operation": tc.operation,
		"unknown": [tc.unknown],
		"clusterState": object.union(fixtures.state, {"brokers": {"1": {"configs": {}}}, "resourceConfigs": {"group": {}}}),
	})
	decision := fixtures.decide(
		object.union(object.remove(document, ["request"]), {"request": tc.request}),
		{"rules": {
			"KFK-DUR-003": {"mode": "deny", "params": {"min": 2, "requireExplicit": false}},
			"KFK-QTA-001": {"mode": "deny", "params": {}},
		}},
	)
	{row.rule | some row in decision.notEvaluated} == tc.rules
	{violation.rule | some violation in decision.violations} & tc.rules == set()
}

_enabled := object.keys(fixtures.settings.rules) | {"KFK-DUR-003"}

# A rule that is not evaluated has nothing against the request; the others go on as ever.
test_its_violations_are_not_there if {
	request := {"replicationFactor": 1, "numPartitions": 1000}
	{violation.rule | some violation in _left_out([], request).violations} == {"KFK-DUR-001", "KFK-SIZ-001"}
	decision := _left_out(["/request/numPartitions"], request)
	[violation.rule | some violation in decision.violations] == ["KFK-DUR-001"]
	decision.allowed == false
	{"rule": "KFK-SIZ-001", "unknown": ["/request/numPartitions"]} in decision.notEvaluated
}

# Nor where the state is too old, and the request alone is decided about.
test_its_violations_are_not_there_without_a_state if {
	old := {"meta": {"observedAt": "2026-11-21T01:00:00Z"}}
	document := fixtures.document({
		"request": {"topic": "shop.baskets", "numPartitions": 1000, "replicationFactor": 1, "configs": {}},
		"clusterState": object.union(fixtures.state, old),
		"unknown": ["/request/numPartitions"],
	})
	over := object.union(_floor("warn"), {"freshness": {"default": {"maxAgeSeconds": 1, "then": "request"}}})
	decision := fixtures.decide(document, over)
	["KFK-DUR-001", "KFK-DUR-003"] == [violation.rule | some violation in decision.violations]
	{"rule": "KFK-SIZ-001", "unknown": ["/request/numPartitions"]} in decision.notEvaluated
	decision.annotations == {}
}

# What else a decision says it says with something unknown, too.
test_what_a_decision_says_besides[note] if {
	resolved := {"mode": "resolved", "before": {"retention.ms": "1"}, "after": {"retention.ms": "5000"}}
	some note, fields in {
		"entries that are described": {
			"operation": "DescribeClientConfigs",
			"request": {"components": [{"entityType": "user", "matchType": "exact", "match": "alice"}]},
			"clusterState": _client_configs,
		},
		"entries that are altered": {
			"operation": "AlterClientConfigs",
			"request": {"entity": {"user": "alice"}, "ops": [{"key": "acks", "value": "all"}]},
			"clusterState": _client_configs,
		},
		"what was before": {"operation": "AlterTopic", "request": {"topic": "shop.orders", "configs": resolved}},
		"a topic that is not there": {"operation": "AuditTopic", "request": {"topic": "gone"}},
	}
	document := object.union(object.remove(fixtures.document({}), object.keys(fields)), fields)
	plain := fixtures.decide(document, {})
	not plain.invalidInput
	fixtures.decide(object.union(document, {"unknown": []}), {}) == object.union(plain, {"notEvaluated": []})
}

test_what_of_the_state_is_not_known if {
	enabled := object.union(_modes, {"rules": {"KFK-SIZ-002": {"mode": "deny", "params": {"max": 1}}}})
	document := fixtures.document({"unknown": ["/clusterState/totals", "/clusterState/writes"]})
	decision := fixtures.decide(document, enabled) with data.catalog.state as _state with data.catalog.rules as _catalog
	decision.notEvaluated == [{"rule": "KFK-SIZ-002", "unknown": ["/clusterState/totals"]}]
}

# What only words of a rule read, of the state or the request, may be unknown.
test_words_that_nobody_knows if {
	enabled := object.union(_modes, {"rules": {"KFK-SIZ-002": {"mode": "deny", "params": {"max": 1}}}})
	read := object.union(_state, {"deciding": {"rules": {"KFK-SIZ-002": []}, "inputs": {"KFK-SIZ-001": [["topic"]]}}})
	document := fixtures.document({"unknown": ["/clusterState/totals", "/request/numPartitions"]})
	decision := fixtures.decide(document, enabled) with data.catalog.state as read with data.catalog.rules as _catalog
	not "KFK-SIZ-001" in {row.rule | some row in decision.notEvaluated}
	not "/clusterState/totals" in {pointer | some row in decision.notEvaluated; some pointer in row.unknown}
}

# What cannot be read is refused as without it, and so is what Kafka refuses.
test_refusals[note] if {
	some note, tc in {
		"malformed": {"fields": {"unknown": "x"}, "error": "INVALID_REQUEST"},
		"no pointer": {"fields": {"unknown": ["x"]}, "error": "INVALID_REQUEST"},
		"a request that is malformed": {"fields": {"unknown": [], "request": {"topic": 1}}, "error": "INVALID_REQUEST"},
		"a name that Kafka refuses": {
			"fields": {"unknown": [], "request": {"topic": "a b"}},
			"error": "INVALID_TOPIC_EXCEPTION",
		},
		"a topic that is not there": {
			"fields": {"unknown": [], "operation": "AlterTopic", "request": {"topic": "gone", "numPartitions": 3}},
			"error": "UNKNOWN_TOPIC_OR_PARTITION",
		},
		"a state that is not whole": {
			"fields": {
				"unknown": [],
				"operation": "AlterTopic",
				"request": {"topic": "a", "numPartitions": 3},
				"clusterState": {"topics": {"a": {"numPartitions": 1}}},
			},
			"error": "INVALID_REQUEST",
		},
	}
	document := object.union(object.remove(fixtures.document({}), object.keys(tc.fields)), tc.fields)
	decision := fixtures.decide(document, _modes) with data.catalog.state as _state with data.catalog.rules as _catalog
	decision.allowed == false
	decision.errors != []
	decision.error.name == tc.error
}

# Who carries a change out has to know what rules would say of it.
test_what_the_gateway_does_not_know[note] if {
	line := "unknown: /request/numPartitions, which KFK-SIZ-001 would read: "
	denied := [concat("", [line, "say it in the request, or make what it follows from known first"])]
	some note, tc in {
		"denied": {"over": {}, "errors": denied, "warnings": []},
		"warned of": {"over": _when("warn"), "errors": [], "warnings": [concat("", [line, "this was decided without"])]},
		"of no interest": {"over": _when("ignore"), "errors": [], "warnings": []},
		"read by no rule": {"over": {"rules": {"KFK-SIZ-001": {"mode": "disabled"}}}, "errors": [], "warnings": []},
	}
	document := fixtures.document({
		"enforcementPoint": "gateway",
		"unknown": ["/request/numPartitions"],
		"request": {"topic": "shop.baskets", "replicationFactor": 3},
	})
	over := object.union(_modes, tc.over)
	decision := fixtures.decide(document, over) with data.catalog.state as _state with data.catalog.rules as _catalog
	[tc.errors, tc.warnings, tc.errors == []] == [decision.errors, decision.warnings, decision.allowed]
}

# Whoever only looks ahead asks again once it is known.
test_what_is_not_known_to_others[point] if {
	some point in ["", "api", "ci", "scan"]
	document := fixtures.document({
		"enforcementPoint": point,
		"unknown": ["/request/numPartitions"],
		"request": {"topic": "shop.baskets", "replicationFactor": 3},
	})
	decision := fixtures.decide(document, object.union(_modes, _when("deny"))) with data.catalog.state as _state
		with data.catalog.rules as _catalog
	[true, ["KFK-SIZ-001"]] == [decision.allowed, [row.rule | some row in decision.notEvaluated]]
}

# It hides neither what else is in doubt nor what rules have against the request.
test_several_doubts_at_the_gateway if {
	document := fixtures.document({
		"enforcementPoint": "gateway",
		"unknown": ["/request/numPartitions"],
		"request": {"topic": "shop.baskets", "replicationFactor": 1},
		"clusterState": object.union(fixtures.state, {"meta": {"observedAt": "2026-11-21T09:00:00Z"}}),
	})
	decision := fixtures.decide(document, object.union(_modes, _when("deny"))) with data.catalog.state as _state
		with data.catalog.rules as _catalog
	decision.allowed == false
	{violation.rule | some violation in decision.violations} == {"KFK-DUR-001"}
	doubt := concat("", [
		"unknown: /request/numPartitions, which KFK-SIZ-001 would read: say it in the request, or make what it follows ",
		"from known first; freshness: the state of cluster 'prod-eu' is 3600 seconds old, and CreateTopic wants it no ",
		"older than 9 seconds: see that it is replicated, then ask again",
	])
	doubt in decision.errors
}
