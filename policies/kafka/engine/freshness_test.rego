package kafka.engine_test

import data.kafka.fixtures_test as fixtures

_limits(limits) := {"freshness": limits}

_age_limit(seconds, action) := {"default": {"maxAgeSeconds": seconds, "then": action}}

# The fixture's state is 1.5 seconds old.
_old(cluster_says, operation, seconds, advice) := concat("", [
	$"freshness: the state of cluster 'prod-eu' {cluster_says}, ",
	$"and {operation} wants it no older than {seconds} seconds: {advice}",
])

_replicate := "see that it is replicated"

_ask_again := "see that it is replicated, then ask again"

_alone := "this was decided on the request alone"

_denied_for(line) := object.union(fixtures.allowed, {
	"allowed": false,
	"errors": [line],
	"error": {"code": 44, "name": "POLICY_VIOLATION", "message": line},
})

# What the document carries, and what is replicated, is as old as it says.
_everywhere(fields, state, over) := {
	"carried": fixtures.decide(object.union_n([_without, fields, {"clusterState": state}]), over),
	"replicated": replicated,
} if {
	replicated := fixtures.decide(object.union(_without, fields), over) with data.clusters as {"prod-eu": state}
}

_without := object.remove(fixtures.document({}), ["clusterState"])

# Who asks for metadata of a topic that is not there asks again.
test_older_than_allowed_for_metadata if {
	line := _old("is 1 seconds old", "CreateTopic", 1, _ask_again)
	document := fixtures.document({"api": {"key": "Metadata", "version": 9}})
	decision := fixtures.decide(document, _limits(_age_limit(1, "deny")))
	decision.error == {"code": 3, "name": "UNKNOWN_TOPIC_OR_PARTITION", "message": line}
}

test_older_than_allowed[note] if {
	some note, tc in {
		"younger": {"limit": _age_limit(2, "deny"), "decision": fixtures.allowed},
		"as old as it may be": {"limit": _age_limit(1.5, "deny"), "decision": fixtures.allowed},
		"denied": {
			"limit": _age_limit(1.4, "deny"),
			"decision": _denied_for(_old("is 1 seconds old", "CreateTopic", 1.4, _ask_again)),
		},
		"nothing is young enough": {
			"limit": _age_limit(0, "deny"),
			"decision": _denied_for(_old("is 1 seconds old", "CreateTopic", 0, _ask_again)),
		},
		"warned of": {
			"limit": _age_limit(1, "warn"),
			"decision": object.union(fixtures.allowed, {"warnings": [_old("is 1 seconds old", "CreateTopic", 1, _replicate)]}),
		},
		"of no interest": {"limit": _age_limit(0, "ignore"), "decision": fixtures.allowed},
		"of another operation": {
			"limit": object.union(_age_limit(9, "deny"), {"operations": {"DeleteTopic": {"maxAgeSeconds": 1}}}),
			"decision": fixtures.allowed,
		},
		"of this operation": {
			"limit": object.union(_age_limit(9, "deny"), {"operations": {"CreateTopic": {"maxAgeSeconds": 1}}}),
			"decision": _denied_for(_old("is 1 seconds old", "CreateTopic", 1, _ask_again)),
		},
		"as old as this operation takes it": {
			"limit": object.union(_age_limit(1, "deny"), {"operations": {"CreateTopic": {"maxAgeSeconds": 1.5}}}),
			"decision": fixtures.allowed,
		},
		"this operation is excused": {
			"limit": object.union(_age_limit(1, "deny"), {"operations": {"CreateTopic": {"then": "ignore"}}}),
			"decision": fixtures.allowed,
		},
	}
	{"carried": tc.decision, "replicated": tc.decision} == _everywhere({}, fixtures.state, _limits(tc.limit))
}

# The limit of another operation is no limit of this one.
test_as_far_ahead_as_this_operation_takes_it[ahead] if {
	some ahead, is_allowed in {"10:01:00Z": true, "10:01:00.5Z": false}
	decision := fixtures.decide(
		object.union(_without, {"clusterState": _says({"observedAt": $"2026-11-21T{ahead}"})}),
		_limits({
			"default": {"maxAgeSeconds": 0, "maxAheadSeconds": 60, "then": "deny"},
			"operations": {"DeleteTopic": {"maxAheadSeconds": 1}},
		}),
	)
	is_allowed == decision.allowed
}

test_by_cluster_and_point[note] if {
	some note, tc in {
		"the base": {"cluster": "prod-eu", "enforcementPoint": "gateway", "allowed": true},
		"a row": {"cluster": "dev-eu", "enforcementPoint": "gateway", "allowed": false},
		"the enforcement point over it": {"cluster": "dev-eu", "enforcementPoint": "ci", "allowed": true},
	}
	over := {
		"freshness": _age_limit(9, "deny"),
		"clusters": [{"match": {"name": "dev-*"}, "freshness": {"default": {"maxAgeSeconds": 1}}}],
		"enforcementPoints": {"ci": {"freshness": {"default": {"then": "ignore"}}}},
	}
	tc.allowed == fixtures.decide(fixtures.document(object.filter(tc, ["cluster", "enforcementPoint"])), over).allowed
}

# What is replicated has to say when it was observed; what a document carries may be of its own moment. Where there is
# nothing, nothing is old, and the rules that need it see to it that it is not missed.
test_age_that_is_not_known[note] if {
	some note, tc in {
		"replicated": {"clusters": {"prod-eu": _says({})}, "fields": {}, "allowed": false},
		"replicated with null": {"clusters": {"prod-eu": _says({"observedAt": null})}, "fields": {}, "allowed": false},
		"replicated, nothing said": {
			"clusters": {"prod-eu": object.remove(fixtures.state, ["meta"])},
			"fields": {},
			"allowed": false,
		},
		"carried": {"clusters": {}, "fields": {"clusterState": _says({})}, "allowed": true},
		"carried with null": {"clusters": {}, "fields": {"clusterState": _says({"observedAt": null})}, "allowed": true},
		"carried hides what is replicated": {
			"clusters": {"prod-eu": _says({})},
			"fields": {"clusterState": fixtures.state},
			"allowed": true,
		},
		"nothing there": {"clusters": {}, "fields": {"operation": "AlterScram", "request": _scram}, "allowed": true},
	}
	document := object.union(_common_fields, _request_or_topic(tc.fields))
	decision := fixtures.decide(document, _limits(_age_limit(5, "deny"))) with data.clusters as tc.clusters
	line := _old("does not say when it was observed", "CreateTopic", 5, _ask_again)
	[tc.allowed, {"true": [], "false": [line]}[$"{tc.allowed}"]] == [decision.allowed, decision.errors]
}

_request_or_topic(fields) := fields if fields.request

_request_or_topic(fields) := object.union(fields, {"request": {"topic": "shop.baskets"}}) if not fields.request

# Without a topic's request and a cluster's state.
_common_fields := object.remove(fixtures.document({}), ["request", "clusterState"])

_says(meta) := object.union(object.remove(fixtures.state, ["meta"]), {"meta": meta})

_scram := {"user": "alice", "mechanism": "SCRAM-SHA-256", "iterations": 8192}

_ahead(observed, limit) := fixtures.decide(
	object.union(_without, {"clusterState": _says({"observedAt": observed})}),
	_limits({"default": object.union({"maxAgeSeconds": 0, "maxAheadSeconds": 60, "then": "deny"}, limit)}),
)

_clocks(seconds, most, advice) := concat("", [
	$"freshness: the state of cluster 'prod-eu' was observed {seconds} seconds ahead of OPA's clock, ",
	$"and CreateTopic takes it at most {most} seconds ahead: {advice}",
])

# OPA's clock says 10:00:00.
test_ahead_of_the_clock[note] if {
	some note, tc in {
		"by less than allowed": {"observed": "2026-11-21T10:00:30Z", "limit": {}, "age": -30, "errors": [], "warnings": []},
		"by as much as allowed": {"observed": "2026-11-21T10:01:00Z", "limit": {}, "age": -60, "errors": [], "warnings": []},
		"by more": {
			"observed": "2026-11-21T10:01:00.5Z",
			"limit": {},
			"age": -60.5,
			"errors": [_clocks(61, 60, "correct the clocks, then ask again")],
			"warnings": [],
		},
		"by anything": {
			"observed": "2026-11-21T10:00:01Z",
			"limit": {"maxAheadSeconds": 0},
			"age": -1,
			"errors": [_clocks(1, 0, "correct the clocks, then ask again")],
			"warnings": [],
		},
		"warned of": {
			"observed": "2026-11-21T10:02:00Z",
			"limit": {"then": "warn"},
			"age": -120,
			"errors": [],
			"warnings": [_clocks(120, 60, "correct the clocks")],
		},
		"of no interest": {
			"observed": "2027-11-21T10:00:00Z",
			"limit": {"then": "ignore"},
			"age": -31536000,
			"errors": [],
			"warnings": [],
		},
	}
	decision := _ahead(tc.observed, tc.limit)
	[tc.age, tc.errors, tc.warnings] == [decision.stateAge, decision.errors, decision.warnings]
}

# OPA cannot count so far.
test_centuries_ahead_or_ago[note] if {
	some note, tc in {
		"ahead": {"observed": "2999-01-01T00:00:00Z", "words": "seconds ahead of OPA's clock, and CreateTopic takes it"},
		"barely": {"observed": "2262-04-12T00:00:00Z", "words": "seconds ahead of OPA's clock, and CreateTopic takes it"},
		"ago": {"observed": "0001-01-01T00:00:00Z", "words": "seconds old, and CreateTopic wants it no older than 0"},
		"barely ago": {"observed": "1677-01-01T00:00:00Z", "words": "seconds old, and CreateTopic wants it no older"},
	}
	every decision in _everywhere({}, _says({"observedAt": tc.observed}), _limits(_age_limit(0, "deny"))) {
		decision.allowed == false
		count(decision.errors) == 1
		contains(decision.errors[0], tc.words)
	}
	_ahead(tc.observed, {"then": "ignore"}).allowed == true
}

test_ahead_of_the_clock_the_request_alone if {
	limits := object.union(
		_age_limit(9, "deny"),
		{"operations": {"CreateTopic": {"maxAheadSeconds": 5, "then": "request"}}},
	)
	document := object.union(_without, {"clusterState": _says({"observedAt": "2026-11-21T10:00:06Z"})})
	fixtures.decide(document, _limits(limits)).warnings == [_clocks(6, 5, _alone)]
}

# An old state hides nothing else, and nothing else hides it.
test_beside_what_else_is_found[note] if {
	factor := "KFK-DUR-001: replication factor 1 is below the minimum of 3"
	exists := "Topic 'shop.orders' already exists."
	some note, tc in {
		"a denial": {
			"request": {"topic": "shop.baskets", "replicationFactor": 1},
			"then": "deny",
			"errors": [factor, _old("is 1 seconds old", "CreateTopic", 1, _ask_again)],
			"warnings": [],
			"name": "POLICY_VIOLATION",
		},
		"a denial, only warned of the age": {
			"request": {"topic": "shop.baskets", "replicationFactor": 1},
			"then": "warn",
			"errors": [factor],
			"warnings": [_old("is 1 seconds old", "CreateTopic", 1, _replicate)],
			"name": "POLICY_VIOLATION",
		},
		"Kafka's refusal": {
			"request": {"topic": "shop.orders"},
			"then": "deny",
			"errors": [exists, _old("is 1 seconds old", "CreateTopic", 1, _ask_again)],
			"warnings": [],
			"name": "TOPIC_ALREADY_EXISTS",
		},
	}
	decision := fixtures.decide(fixtures.document({"request": tc.request}), _limits(_age_limit(1, tc.then)))
	[tc.errors, tc.warnings, tc.name] == [decision.errors, decision.warnings, decision.error.name]
}

# What an old state lacks may be there by now.
test_what_is_missing_in_an_old_state if {
	document := fixtures.document({"operation": "DeleteTopic", "request": {"topic": "shop.gone"}})
	decision := fixtures.decide(document, _limits(_age_limit(1, "warn")))
	decision.error.name == "UNKNOWN_TOPIC_OR_PARTITION"
	decision.warnings == [_old("is 1 seconds old", "DeleteTopic", 1, _replicate)]
}

_request_limits(operation) := _limits(object.union(
	_age_limit(9, "deny"),
	{"operations": {operation: {"maxAgeSeconds": 1, "then": "request"}}},
))

# Nothing of the state counts then: neither that the topic is there already, nor the cluster's defaults.
test_the_request_alone[note] if {
	line := _old("is 1 seconds old", "CreateTopic", 1, _alone)
	some note, tc in {
		"what the state has is forgotten": {"request": {"topic": "shop.orders", "replicationFactor": 3}, "errors": []},
		"as are its defaults": {
			"request": {"topic": "shop.baskets"},
			"errors": ["KFK-DUR-001: replication factor 1 is below the minimum of 3"],
		},
		"what the request says counts": {
			"request": {"topic": "shop.baskets", "replicationFactor": 3, "numPartitions": 101},
			"errors": ["KFK-SIZ-001: 101 partitions are above the maximum of 100"],
		},
		"what Kafka refuses whatever there is": {
			"request": {"topic": "shop.baskets", "replicationFactor": 3, "numPartitions": 0},
			"errors": [
				"KFK-SIZ-001: 0 partitions are below the minimum of 1",
				"Number of partitions was set to an invalid non-positive value.",
			],
		},
	}
	decisions := _everywhere({"request": tc.request}, fixtures.state, _request_limits("CreateTopic"))
	decisions == {"carried": decisions.carried, "replicated": decisions.carried}
	[tc.errors, [line], 1.5] == [decisions.carried.errors, decisions.carried.warnings, decisions.carried.stateAge]
}

_acl := {
	"resourceType": "TOPIC",
	"resourceName": "shop.orders",
	"patternType": "LITERAL",
	"principal": "User:alice",
	"host": "*",
	"operation": "READ",
	"permissionType": "ALLOW",
}

# Whatever the settings let be decided on the request alone can be decided so.
test_all_that_can_be_decided_so[operation] if {
	some operation, request in {
		"CreateTopic": {"topic": "shop.baskets", "replicationFactor": 3},
		"StartBroker": {"broker": "1", "configs": {
			"process.roles": "broker",
			"node.id": "1",
			"controller.listener.names": "CONTROLLER",
			"controller.quorum.bootstrap.servers": "c:9093",
		}},
		"CreateAcl": {"acl": _acl},
		"DeleteAcl": {"acl": object.union(_acl, {"host": null})},
		"AlterScram": _scram,
		"UpdateFeatures": {"featureUpdates": []},
		"ElectLeaders": {"electionType": "PREFERRED", "topicPartitions": null},
		"AlterGroupOffsets": {"group": "g", "offsets": []},
		"AddRaftVoter": {"voter": "4"},
		"RemoveRaftVoter": {"voter": "4"},
		"AlterReplicaLogDirs": {"replicas": []},
		"CreateDelegationToken": {"maxLifetimeMs": -1},
		"RenewDelegationToken": {"renewPeriodMs": -1},
		"ExpireDelegationToken": {"expiryTimePeriodMs": -1},
		"DeleteGroup": {"group": "g"},
		"DeleteGroupOffsets": {"group": "g", "topicPartitions": []},
	}
	document := object.union(_common_fields, {"operation": operation, "request": request, "clusterState": fixtures.state})
	decision := fixtures.decide(document, _request_limits(operation))
	decision == object.union(fixtures.allowed, {"warnings": [_old("is 1 seconds old", operation, 1, _alone)]})
}

test_client_configs[note] if {
	some note, tc in {
		"denied": {"then": "deny", "error": "POLICY_VIOLATION", "warnings": 0, "apply": false},
		"warned of": {"then": "warn", "error": null, "warnings": 1, "apply": true},
	}
	document := object.union(_common_fields, {
		"operation": "AlterClientConfigs",
		"principal": {"type": "User", "name": "admin"},
		"request": {"entity": {"user": "alice"}, "ops": [{"key": "acks", "value": "-1"}]},
		"clusterState": object.union(fixtures.state, {"clientConfigs": {}}),
	})
	decision := fixtures.decide(document, {"freshness": _age_limit(1, tc.then), "superUsers": ["User:admin"]})
	[entry] := decision.entries
	[tc.error, tc.warnings, tc.apply] == [
		object.get(decision, ["error", "name"], null),
		count(decision.warnings),
		entry.apply,
	]
}

# In a batch each item has its operation's limit and its own state's age.
test_in_a_batch if {
	laid := fixtures.compiled(object.union(fixtures.settings, {"freshness": {
		"default": {"maxAgeSeconds": 1, "then": "warn"},
		"operations": {"DeleteTopic": {"then": "deny"}, "AuditTopic": {"then": "ignore"}},
	}}))
	fresh := {"meta": {"observedAt": "2026-11-21T09:59:59.5Z"}}
	decisions := data.kafka.decisions with data.settings.compiled as laid with input as {
		"common": object.remove(fixtures.document({}), ["request", "operation"]),
		"items": {
			"create": {"operation": "CreateTopic", "request": {"topic": "shop.baskets"}},
			"create, just seen": {"operation": "CreateTopic", "request": {"topic": "shop.baskets"}, "clusterState": fresh},
			"delete": {"operation": "DeleteTopic", "request": {"topic": "shop.orders"}},
			"delete, just seen": {"operation": "DeleteTopic", "request": {"topic": "shop.orders"}, "clusterState": fresh},
			"audit": {"operation": "AuditTopic", "request": {"topic": "shop.orders"}},
			"part of an audit": {"operation": "AuditTopicName", "request": {"topic": "shop.orders", "internal": false}},
		},
	}
	{key: [count(decision.errors), count(decision.warnings)] | some key, decision in decisions} == {
		"create": [0, 1],
		"create, just seen": [0, 0],
		"delete": [1, 0],
		"delete, just seen": [0, 0],
		"audit": [0, 0],
		"part of an audit": [0, 0],
	}
}
