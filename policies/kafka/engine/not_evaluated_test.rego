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

# A rule that is not evaluated has nothing against the request; the others go on as ever.
test_its_violations_are_not_there if {
	request := {"replicationFactor": 1, "numPartitions": 1000}
	{violation.rule | some violation in _left_out([], request).violations} == {"KFK-DUR-001", "KFK-SIZ-001"}
	decision := _left_out(["/request/numPartitions"], request)
	[violation.rule | some violation in decision.violations] == ["KFK-DUR-001"]
	decision.allowed == false
	{"rule": "KFK-SIZ-001", "unknown": ["/request/numPartitions"]} in decision.notEvaluated
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
