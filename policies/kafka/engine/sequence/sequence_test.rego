package kafka.engine.sequence_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules

_rules := {
	"KFK-NAM-003": {"mode": "deny", "params": {"maxLength": 20}},
	"KFK-SIZ-002": {"mode": "deny", "params": {"maxPartitions": 100, "excludePrefixes": ["__"]}},
	"KFK-SIZ-003": {
		"mode": "deny",
		"params": {"maxTopics": 50, "maxPartitions": 60, "labelKey": "owner", "byTeam": {}},
	},
	"KFK-SIZ-007": {"mode": "deny", "params": {"maxPerRequest": 40}},
}

_state(replicas) := object.union(fixtures.state, {"totals": {
	"topics": 1, "partitions": 6, "replicas": replicas,
	"byBroker": {}, "byOwner": {}, "byPrincipal": {},
}})

_create(name, partitions) := {
	"operation": "CreateTopic",
	"request": {"topic": name, "numPartitions": partitions, "replicationFactor": 1},
}

_decide(replicas, items, fields) := result if {
	laid := fixtures.compiled({"rules": _rules, "clusters": [], "enforcementPoints": {}, "waivers": []})
	common := object.union({"cluster": "prod-eu", "now": fixtures.now, "clusterState": _state(replicas)}, fields)
	batch := {"order": sort(object.keys(items)), "common": common, "items": items}
	result := data.kafka.decisions with input as batch with data.settings.compiled as laid
}

_allowed(decisions) := [decision.allowed | some decision in decisions]

# In the order of their keys; 100 replicas are the most that the cluster may hold.
test_items_are_charged_in_order[note] if {
	items := {
		"a": _create("shop.a", 10),
		"b": _create("shop.b", 10),
		"c": _create("shop.c", 5),
		"d": _create("shop.d", 1),
	}
	some note, tc in {
		"room for all": {"held": 74, "items": items, "allowed": [true, true, true, true]},
		"room for some": {"held": 75, "items": items, "allowed": [true, true, true, false]},
		"one is too large for what is left": {"held": 85, "items": items, "allowed": [true, false, false, false]},
		"too large alone is charged to none": {"held": 94, "items": items, "allowed": [false, false, true, true]},
		"no room": {"held": 100, "items": items, "allowed": [false, false, false, false]},
		"denied for another reason": {
			"held": 89,
			"items": object.union(items, {"a": _create("shop.this.name.is.much.too.long", 10)}),
			"allowed": [false, true, false, false],
		},
		"what is pending": {"held": 70, "items": items, "fields": {"pending": {"/totals/replicas": 20}}, "allowed": [
			true, false,
			false, false,
		]},
		"a request's own cap": {
			"held": 0,
			"items": {key: _create($"shop.{key}", 20) | some key in ["a", "b", "c"]},
			"allowed": [true, true, false],
		},
		"the quota of who asks": {
			"held": 0,
			"items": items,
			"fields": {"pending": {"/totals/byPrincipal/User:ANONYMOUS/partitions": 45}},
			"allowed": [true, false, false, false],
		},
		"a deletion, which adds no replicas": {
			"held": 95,
			"items": {
				"a": {"operation": "DeleteTopic", "request": {"topic": "shop.orders"}},
				"b": _create("shop.b", 4),
				"c": _create("shop.c", 4),
			},
			"allowed": [true, true, false],
		},
		"growth and creation": {
			"held": 90,
			"items": {
				"a": {"operation": "AlterTopic", "request": {"topic": "shop.orders", "numPartitions": 4}},
				"b": _create("shop.b", 4),
				"c": _create("shop.c", 1),
			},
			"allowed": [true, true, false],
		},
	}
	decisions := _decide(tc.held, tc.items, object.get(tc, "fields", {}))
	tc.allowed == _allowed(decisions)
}

test_charges if {
	items := {"a": _create("shop.a", 3), "b": _create("shop.b", 900)}
	decisions := _decide(0, items, {"principal": {"type": "User", "name": "a/b"}})
	decisions.a.charges == {
		"/totals/replicas": 3,
		"/totals/byPrincipal/User:a~1b/partitions": 3,
		"/totals/byPrincipal/User:a~1b/topics": 1,
	}
	decisions.b.charges == {}
	decisions.b.allowed == false
}

# Items of several requests: what counts within one counts in no other, and what counts in the cluster counts in all.
test_items_of_several_requests if {
	items := {key: _create($"shop.{key}", 20) | some key in ["a", "b", "c", "d"]}
	batch := {
		"order": sort(object.keys(items)),
		"requests": {"a": "1", "b": "1", "c": "2", "d": "1"},
		"items": items,
		"common": {"cluster": "prod-eu", "now": fixtures.now, "clusterState": _state(0)},
	}
	laid := fixtures.compiled({"rules": _rules, "clusters": [], "enforcementPoints": {}, "waivers": []})
	decisions := data.kafka.decisions with input as batch with data.settings.compiled as laid
	[true, true, true, false] == _allowed(decisions)
	decisions.c.charges["/request/partitions"] == 20
	["KFK-SIZ-003", "KFK-SIZ-007"] == sort([violation.rule | some violation in decisions.d.violations])
}

# A bundle says which rules have a cap: only what breaks one of them is decided again.
test_rules_with_a_cap if {
	catalog := {"KFK-NAM-003": {}, "KFK-SIZ-002": {"cap": true}, "KFK-SIZ-003": {"cap": true}}
	items := {"a": _create("shop.a", 10), "b": _create("shop.this.name.is.too.long", 9), "c": _create("shop.c", 10)}
	decisions := _decide(85, items, {}) with data.catalog.rules as catalog
	[true, false, false] == _allowed(decisions)
	["KFK-NAM-003"] == [violation.rule | some violation in _decide(0, items, {}).b.violations]
}

# A rule that no catalogue names, such as a site's, may have one.
test_rules_that_no_catalogue_names if {
	items := {"a": _create("shop.a", 10), "b": _create("shop.b", 10), "c": _create("shop.c", 1)}
	decisions := _decide(85, items, {}) with data.catalog.rules as {}
	[true, false, false] == _allowed(decisions)
}

# What cannot be read adds nothing, and is denied by itself.
test_an_item_that_cannot_be_read if {
	decisions := _decide(0, {"a": {"operation": "CreateTopic", "request": {}}, "b": _create("shop.b", 1)}, {})
	[false, true] == _allowed(decisions)
	decisions.a.charges == {}
}

_charges(prepared) := result if {
	result := rules.charges with input as prepared
}

test_what_is_charged[note] if {
	requested := {
		"numPartitions": 2, "replicationFactor": 2, "replicasAssignments": {"0": [1, 2], "1": [2, 1]},
		"generatedReplicaAssignments": false, "configs": {},
	}
	some note, tc in {
		"replicas where they are placed": {
			"prepared": {"operation": "CreateTopic", "requested": requested, "current": null, "params": {}},
			"charges": {
				"/totals/replicas": 4, "/request/partitions": 2,
				"/totals/byBroker/1": 2, "/totals/byBroker/2": 2,
			},
		},
		"bytes of a team": {
			"prepared": {
				"operation": "CreateTopic",
				"requested": object.union(requested, {"generatedReplicaAssignments": true}),
				"current": null,
				"effective": {"values": {"cleanup.policy": ["delete"], "retention.bytes": 10}},
				"labels": {"owner": "shop"},
				"params": {"KFK-SIZ-004": {"labelKey": "owner", "unboundedAs": 1, "maxBytes": 1}},
			},
			"charges": {"/totals/replicas": 4, "/request/partitions": 2, "/totals/byOwner/shop/retainedBytes": 40},
		},
		"a deletion": {
			"prepared": {"operation": "DeleteTopic", "params": {}},
			"charges": {"/request/deletions": 1, "/deletions/lastHour": 1},
		},
		"records": {"prepared": {"operation": "DeleteRecords", "params": {}}, "charges": {}},
	}
	tc.charges == _charges(tc.prepared)
}

# What is only tried is decided as if it were charged, and charged to nothing that is not.
test_trials if {
	items := {
		"a": object.union(_create("shop.a", 10), {"validateOnly": true}),
		"b": _create("shop.b", 10),
		"c": object.union(_create("shop.c", 1), {"validateOnly": true}),
	}
	decisions := _decide(85, items, {})
	[true, true, false] == _allowed(decisions)
	decisions.a.charges == {}
}

test_an_order_names_each_item_once[order] if {
	some order in [[], ["a", "a"], ["a", "b"], "a", {"a": 1}]
	batch := {"order": order, "items": {"a": fixtures.document({})}}
	fixtures.decide_all(batch).a == fixtures.refused(["order: name the key of each item once, each item an object"])
}

# Over the edge of a block: 250 items of one replica each, and room for 203.
test_many if {
	items := {sprintf("%04d", [n]): _create(sprintf("shop.t%d", [n]), 1) | some n in numbers.range(1, 250)}
	rules := {"KFK-SIZ-002": {"mode": "deny", "params": {"maxPartitions": 203, "excludePrefixes": []}}}
	laid := fixtures.compiled({"rules": rules, "clusters": [], "enforcementPoints": {}, "waivers": []})
	common := {"cluster": "prod-eu", "now": fixtures.now, "clusterState": _state(0)}
	batch := {"order": sort(object.keys(items)), "common": common, "items": items}
	decisions := data.kafka.decisions with input as batch with data.settings.compiled as laid
	[key | some key, decision in decisions; decision.allowed] == array.slice(batch.order, 0, 203)
}
