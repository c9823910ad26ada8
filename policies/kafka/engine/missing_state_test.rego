package kafka.engine_test

import data.kafka.fixtures_test as fixtures

_without_parts(parts) := object.union(
	object.remove(fixtures.state, parts),
	{"meta": object.union(fixtures.state.meta, {"unknown": parts})},
)

_when(action) := {"freshness": {"default": {
	"maxAgeSeconds": 9,
	"maxAheadSeconds": 9,
	"then": "deny",
	"whenUnknown": action,
}}}

_lacks(parts, operation, advice) := concat("", [
	$"unknown: the source of cluster 'prod-eu' may not see all of {parts}, which {operation} needs: ",
	$"give it the rights that meta.missing names{advice}",
])

# As if the bundle's rules read all of it, and as the document carries it or as it is replicated.
_ask(operation, request, parts, over) := decisions.carried if {
	document := object.union(fixtures.document({"operation": operation}), {"request": request})
	bare := object.remove(document, ["clusterState"])
	state := _without_parts(parts)
	read := {"engine": parts, "rules": {}}
	carried := fixtures.decide(object.union(bare, {"clusterState": state}), over) with data.catalog.state as read
	replicated := fixtures.decide(bare, over) with data.catalog.state as read with data.clusters as {"prod-eu": state}
	decisions := {"carried": carried, "replicated": replicated}
	carried == replicated
}

test_what_a_decision_needs_and_its_source_may_not_see[note] if {
	line := _lacks("totals", "CreateTopic", ", then ask again")
	some note, tc in {
		"denied": {"parts": ["totals"], "over": _when("deny"), "errors": [line], "warnings": []},
		"denied where the settings do not say": {"parts": ["totals"], "over": {}, "errors": [line], "warnings": []},
		"warned of": {
			"parts": ["totals"],
			"over": _when("warn"),
			"errors": [],
			"warnings": [_lacks("totals", "CreateTopic", "")],
		},
		"of no interest": {"parts": ["totals"], "over": _when("ignore"), "errors": [], "warnings": []},
		"several": {
			"parts": ["acls", "defaults", "totals"],
			"over": _when("warn"),
			"errors": [],
			"warnings": [_lacks("defaults, totals", "CreateTopic", "")],
		},
		"nothing that it needs": {"parts": ["acls", "quotas"], "over": _when("deny"), "errors": [], "warnings": []},
		"everything is known": {"parts": [], "over": _when("deny"), "errors": [], "warnings": []},
	}
	request := {"topic": "shop.baskets", "numPartitions": 1, "replicationFactor": 3}
	decision := _ask("CreateTopic", request, tc.parts, tc.over)
	[tc.errors, tc.warnings, tc.errors == []] == [decision.errors, decision.warnings, decision.allowed]
}

# What names tell of a topic is in the state, unless the request says which labels it will have.
test_label_patterns_that_nobody_knows[note] if {
	some note, tc in {
		"labels as they are": {"request": {"topic": "shop.orders"}, "errors": []},
		"other labels": {
			"request": {"topic": "shop.orders", "labels": {}},
			"errors": [_lacks("labelPatterns", "AlterTopic", ", then ask again")],
		},
	}
	tc.errors == _ask("AlterTopic", tc.request, ["labelPatterns"], _when("deny")).errors
}

# Of client configs that are not known there is nothing to look at: the decision says which part it is.
test_client_configs_that_nobody_knows[action] if {
	line := _lacks("clientConfigs", "AlterClientConfigs", "")
	some action, expected in {
		"deny": [false, [$"{line}, then ask again"], []],
		"warn": [true, [], [line]],
		"ignore": [true, [], []],
	}
	whole := fixtures.document({
		"operation": "AlterClientConfigs",
		"clusterState": object.union(_without_parts(["clientConfigs"]), {"acls": []}),
	})
	document := object.union(object.remove(whole, ["request"]), {"request": {
		"entity": {"user": "alice", "clientId": null},
		"ops": [{"key": "acks", "value": "all"}],
	}})
	decision := fixtures.decide(document, _when(action)) with data.kafka.client_configs.refusals as set()
		with data.catalog.state as {"engine": ["clientConfigs"], "rules": {}}
	[decision.allowed, decision.errors, decision.warnings] == expected
	not decision.invalidInput
}

# A topic that is there is known, whatever else there may be.
test_a_topic_that_is_seen if {
	state := object.union(fixtures.state, {"meta": {"unknown": ["topics"]}})
	allowed := {name: decision.allowed |
		some name in ["shop.orders", "shop.baskets"]
		decision := fixtures.decide(
			fixtures.document({"operation": "AuditTopic", "request": {"topic": name}, "clusterState": state}),
			_when("deny"),
		)
	}
	allowed == {"shop.orders": true, "shop.baskets": false}
}

test_a_broker_that_is_seen if {
	brokers := {"1": {"configs": {"num.partitions": "3"}}, "2": {}}
	state := object.union(fixtures.state, {"brokers": brokers, "meta": {"unknown": ["brokers"]}})
	errors := {id: decision.errors |
		some id in ["1", "2"]
		decision := fixtures.decide(
			object.union(_common_fields, {"operation": "AuditBroker", "request": {"broker": id}, "clusterState": state}),
			_when("deny"),
		)
	}
	errors["1"] == []
	errors["2"] != []
}

# What only disabled rules read is not needed, but for a site's own rules, which may read anything.
test_what_no_rule_reads if {
	document := fixtures.document({"clusterState": _without_parts(["totals"])})
	read := {"engine": ["topics"], "rules": {"KFK-SIZ-009": ["totals"]}}
	unread := fixtures.decide(document, _when("deny")) with data.catalog.state as read
	of_site := fixtures.decide(document, _when("deny")) with data.catalog.state as read
		with data.site as {"rules": {"a": {"deny": set()}}}
	not_said := fixtures.decide(document, _when("deny")) with data.catalog.state as false
	[true, false, false] == [unread.allowed, of_site.allowed, not_said.allowed]
}

# Parts of an audit go by what the settings say of the whole.
test_parts_of_audits[action] if {
	some action, errors in {
		"deny": [_lacks("namesByMetric", "AuditTopicName", ", then ask again")],
		"ignore": [],
	}
	over := {"freshness": {
		"default": {"maxAgeSeconds": 9, "maxAheadSeconds": 9, "then": "ignore", "whenUnknown": "warn"},
		"operations": {"AuditTopic": {"whenUnknown": action}},
	}}
	request := {"topic": "shop.baskets", "internal": false}
	errors == _ask("AuditTopicName", request, ["namesByMetric"], over).errors
}

test_beside_an_old_state[note] if {
	some note, tc in {
		"the more severe counts": {"then": "warn", "whenUnknown": "deny", "counts": [1, 0]},
		"whichever it is": {"then": "deny", "whenUnknown": "warn", "counts": [1, 0]},
		"both warn": {"then": "warn", "whenUnknown": "warn", "counts": [0, 1]},
		"only old": {"then": "warn", "whenUnknown": "ignore", "counts": [0, 1]},
		"only unknown": {"then": "ignore", "whenUnknown": "deny", "counts": [1, 0]},
		"decided without the state": {"then": "request", "whenUnknown": "deny", "counts": [0, 1]},
	}
	limit := object.union(object.filter(tc, ["then", "whenUnknown"]), {"maxAgeSeconds": 1, "maxAheadSeconds": 1})
	over := {"freshness": {"default": limit, "operations": {}}}
	decision := _ask("CreateTopic", {"topic": "shop.baskets", "replicationFactor": 3}, ["totals"], over)
	tc.counts == [count(decision.errors), count(decision.warnings)]
}

_orders(action, operation, request, fields) := fixtures.decide(
	_about_orders(operation, request, fields),
	_when(action),
)

_about_orders(operation, request, fields) := document if {
	topics := {"shop.orders": object.remove(fixtures.topic, fields)}
	state := object.union(object.remove(fixtures.state, ["topics"]), {"topics": topics})
	document := object.union(object.remove(fixtures.document({}), ["clusterState", "request"]), {
		"operation": operation,
		"request": object.union({"topic": "shop.orders"}, request),
		"clusterState": state,
	})
}

_uncounted(operation) := concat("", [
	$"unknown: the source of cluster 'prod-eu' may not see reassigning of topic 'shop.orders': {operation} counts the ",
	"replicas that are there; give it the rights that meta.missing names",
])

test_a_topic_of_which_not_all_is_known[note] if {
	of_reassigning := "reassigning of topic 'shop.orders'"
	of_configs := "configs of topic 'shop.orders'"
	some note, tc in {
		"partitions are added": {
			"decision": _orders("deny", "AlterTopic", {"numPartitions": 3}, ["reassigning"]),
			"errors": [_lacks(of_reassigning, "AlterTopic", ", then ask again")],
			"warnings": [],
		},
		"partitions are added, with a warning": {
			"decision": _orders("warn", "AlterTopic", {"numPartitions": 3}, ["reassigning"]),
			"errors": [],
			"warnings": [_lacks(of_reassigning, "AlterTopic", "")],
		},
		"partitions are added, without one": {
			"decision": _orders("ignore", "AlterTopic", {"numPartitions": 3}, ["reassigning"]),
			"errors": [],
			"warnings": [],
		},
		"an audit": {
			"decision": _orders("deny", "AuditTopic", {}, ["reassigning"]),
			"errors": [],
			"warnings": [_uncounted("AuditTopic")],
		},
		"an audit, without a warning": {
			"decision": _orders("ignore", "AuditTopic", {}, ["configs", "reassigning"]),
			"errors": [],
			"warnings": [],
		},
		"an audit of unknown configs": {
			"decision": _orders("deny", "AuditTopic", {}, ["configs"]),
			"errors": [_lacks(of_configs, "AuditTopic", ", then ask again")],
			"warnings": [],
		},
		"an audit of which neither is known": {
			"decision": _orders("warn", "AuditTopic", {}, ["configs", "reassigning"]),
			"errors": [],
			"warnings": [concat("; ", [_lacks(of_configs, "AuditTopic", ""), _uncounted("AuditTopic")])],
		},
	}
	[tc.errors, tc.warnings] == [tc.decision.errors, tc.decision.warnings]
}

# KFK-SIZ-001 has something against a topic of two partitions; nobody knows whether, had it its configs.
test_what_rules_say_of_unknown_configs[note] if {
	some note, tc in {
		"denied": {"action": "deny", "fields": ["configs"], "rules": set()},
		"warned of": {"action": "warn", "fields": ["configs"], "rules": {"KFK-SIZ-001"}},
		"known": {"action": "deny", "fields": ["reassigning"], "rules": {"KFK-SIZ-001"}},
	}
	over := object.union(_when(tc.action), {"rules": {"KFK-SIZ-001": {"mode": "deny", "params": {"min": 7, "max": 9}}}})
	decision := fixtures.decide(_about_orders("AuditTopic", {}, tc.fields), over)
	tc.rules == {violation.rule | some violation in decision.violations}
}

# Topics are needed for a change of what they inherit; what a broker starts with is compared with what is known of them.
test_parts_of_a_request_about_a_broker[note] if {
	some note, tc in {
		"topics, for a default of theirs": {
			"operation": "AlterBroker", "configs": _ops("log.retention.ms", "604800001"),
			"parts": ["defaults", "topics"], "needed": ["defaults, topics"],
		},
		"topics, for no default of theirs": {
			"operation": "AlterBroker", "configs": _ops("log.cleaner.threads", "2"),
			"parts": ["defaults", "topics"], "needed": [],
		},
		"the broker, for no default of topics": {
			"operation": "AlterBroker", "configs": _ops("log.cleaner.threads", "2"),
			"parts": ["brokers"], "needed": ["brokers"],
		},
		"the number of brokers, for a start": {
			"operation": "StartBroker", "configs": {"log.retention.ms": "1"},
			"parts": ["clusterSize"], "needed": [],
		},
		"topics, for a start": {
			"operation": "StartBroker", "configs": {"log.retention.ms": "1"},
			"parts": ["defaults", "topics"], "needed": [],
		},
		"brokers, for a start": {
			"operation": "StartBroker", "configs": {"log.retention.ms": "1"},
			"parts": ["brokers"], "needed": ["brokers"],
		},
	}
	request := {"broker": {"AlterBroker": "", "StartBroker": "1"}[tc.operation], "configs": tc.configs}
	document := object.union(
		object.remove(fixtures.document({"operation": tc.operation}), ["clusterState", "request"]),
		{"request": request, "clusterState": _without_parts(tc.parts)},
	)
	decision := fixtures.decide(document, _when("deny")) with data.catalog.state as {
		"engine": tc.parts,
		"rules": {},
		"inputs": {},
		"names": {},
	}
	not decision.invalidInput
	[_lacks(parts, tc.operation, ", then ask again") | some parts in tc.needed] == [error |
		some error in decision.errors
		startswith(error, "unknown: ")
	]
}

_ops(name, value) := {"mode": "incremental", "ops": [{"name": name, "op": "SET", "value": value}]}
