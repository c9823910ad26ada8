package kafka.client_configs_test

import data.kafka.client_configs
import data.kafka.fixtures_test as fixtures

_binding(fields) := object.union(
	{
		"resourceType": "CLUSTER",
		"resourceName": "kafka-cluster",
		"patternType": "LITERAL",
		"principal": "User:admin",
		"host": "*",
		"operation": "ALTER_CONFIGS",
		"permissionType": "ALLOW",
	},
	fields,
)

_registered := {"apache-kafka-java": {"4.3.1": ["acks"]}}

_state := {
	"acls": {"User:admin": [_binding({})]},
	"clientConfigs": object.union(_stored, {
		"alice": object.union(_stored.alice, {"reader": {"supported.configs": _registered}}),
		"quotas": {"": {"producer_byte_rate": "1"}},
	}),
}

_ask(operation, request, fields) := object.union(
	{
		"operation": operation,
		"cluster": "prod-eu",
		"now": fixtures.now,
		"principal": {"type": "User", "name": "admin"},
		"request": request,
		"clusterState": _state,
	},
	fields,
)

_decide(document) := fixtures.decide(document, {})

_quiet := {
	"allowed": true,
	"errors": [],
	"error": null,
	"violations": [],
	"warnings": [],
	"annotations": {},
	"stateAge": null,
	"revision": null,
}

_component(type, match_type, name) := {"entityType": type, "matchType": match_type, "match": name}

_entry(entity, values) := {"entity": entity, "values": values, "supportedConfigs": {}}

_user_alice := _entry({"user": "alice"}, {"acks": "-1", "session.timeout.ms": "11000"})

_any_client := _entry({"user": "alice", "clientId": null}, {"acks": "1"})

_override := _entry(_alice_client, {"acks": "0", "heartbeat.interval.ms": "2000"})

_reader := {"entity": {"user": "alice", "clientId": "reader"}, "values": {}, "supportedConfigs": _registered}

_default_user := _entry({"user": null}, {"acks": "1"})

_default_user_client := _entry({"user": null, "clientId": "clientid-override"}, {"acks": "1"})

_bob := _entry({"user": "bob", "clientId": "only"}, {"acks": "1"})

test_filters[note] if {
	some note, tc in {
		"a user and all below": {
			"components": [_component("user", "exact", "alice")],
			"entries": [_user_alice, _any_client, _override, _reader],
		},
		"a user alone": {"components": [_component("user", 0, "alice")], "strict": true, "entries": [_user_alice]},
		"one client": {
			"components": [_component("user", "exact", "alice"), _component("client-id", "exact", "clientid-override")],
			"entries": [_override],
		},
		"the default client": {
			"components": [_component("user", "exact", "alice"), _component("client-id", "default", null)],
			"entries": [_any_client],
		},
		"any client": {
			"components": [_component("client-id", 2, null), _component("user", "exact", "alice")],
			"strict": true,
			"entries": [_any_client, _override, _reader],
		},
		"the default user": {
			"components": [_component("user", 1, null)],
			"entries": [_default_user, _default_user_client],
		},
		"any user alone": {
			"components": [_component("user", "any", null)],
			"strict": true,
			"entries": [_default_user, _user_alice],
		},
		"any user": {
			"components": [_component("user", "any", null)],
			"entries": [_default_user, _default_user_client, _user_alice, _any_client, _override, _reader, _bob],
		},
		"any user's client of a name": {
			"components": [_component("user", "any", null), _component("client-id", "exact", "clientid-override")],
			"entries": [_default_user_client, _override],
		},
		"nobody": {"components": [_component("user", "exact", "alic")], "entries": []},
		"an empty name": {
			"components": [_component("user", "exact", "alice"), _component("client-id", "exact", "")],
			"entries": [],
		},
		"a user that is called as the default entity is stored": {
			"components": [_component("user", "exact", "<default>")],
			"entries": [],
		},
		"quotas alone are no client configs": {"components": [_component("user", "exact", "quotas")], "entries": []},
	}
	request := object.remove(tc, ["entries"])
	object.union(_quiet, {"entries": tc.entries}) == _decide(_ask("DescribeClientConfigs", request, {}))
}

_resolve(components, fields) := object.union({"components": components, "resolveEntity": true}, fields)

_principal(name) := {"principal": {"type": "User", "name": name}}

_itself := [_component("user", "exact", "alice"), _component("client-id", "exact", "clientid-override")]

_resolved_entry := {
	"entity": _alice_client,
	"values": {"acks": "0", "heartbeat.interval.ms": "2000", "session.timeout.ms": "11000"},
	"sources": {"acks": _alice_client, "heartbeat.interval.ms": _alice_client, "session.timeout.ms": _alice},
	"supportedConfigs": {},
}

test_a_client_resolves_itself[note] if {
	some note, tc in {
		"itself": {"request": _resolve(_itself, {}), "as": "alice", "entry": _resolved_entry},
		"an administrator for it": {"request": _resolve(_itself, {}), "as": "admin", "entry": _resolved_entry},
		"registering": {
			"request": _resolve(_itself, {
				"supportedConfigs": ["b", "a", "b"],
				"softwareName": "librdkafka",
				"softwareVersion": "2.5.0",
			}),
			"as": "alice",
			"entry": object.union(_resolved_entry, {"registration": {
				"entity": _alice_client,
				"softwareName": "librdkafka",
				"softwareVersion": "2.5.0",
				"supportedConfigs": ["a", "b"],
			}}),
		},
		"registering without saying what it is": {
			"request": _resolve([_component("user", "exact", "bob")], {"supportedConfigs": []}),
			"as": "bob",
			"entry": {
				"entity": {"user": "bob"},
				"values": {},
				"sources": {},
				"supportedConfigs": {},
				"registration": {
					"entity": {"user": "bob"},
					"softwareName": "unknown",
					"softwareVersion": "unknown",
					"supportedConfigs": [],
				},
			},
		},
		"null registers nothing": {
			"request": _resolve(_itself, {"supportedConfigs": null}),
			"as": "alice",
			"entry": _resolved_entry,
		},
		"one that has registered before": {
			"request": _resolve([_component("user", "exact", "alice"), _component("client-id", "exact", "reader")], {}),
			"as": "alice",
			"entry": {
				"entity": {"user": "alice", "clientId": "reader"},
				"values": _user_alice.values,
				"sources": {"acks": _alice, "session.timeout.ms": _alice},
				"supportedConfigs": _registered,
			},
		},
	}
	object.union(_quiet, {"entries": [tc.entry]}) == _decide(_ask("DescribeClientConfigs", tc.request, _principal(tc.as)))
}

_denial(code, name, messages, entries) := object.union(_quiet, {
	"allowed": false,
	"errors": messages,
	"error": {"code": code, "name": name, "message": concat("; ", messages)},
	"entries": entries,
})

_no_user := "The filter has no user component: client configs belong to a user, or to a client-id of a user"

_registers := "supportedConfigs: only a client that resolves itself (resolveEntity) registers the keys that it supports"

test_describe_refusals[note] if {
	some note, tc in {
		"no component": {"request": {"components": []}, "errors": [_no_user]},
		"no user": {"request": {"components": [_component("client-id", "exact", "a")]}, "errors": [_no_user]},
		"unknown entity type": {
			"request": {"components": [_component("user", "exact", "a"), _component("ip", "exact", "10.0.0.1")]},
			"errors": ["Unknown entity type \"ip\": use client-id or user"],
		},
		"empty entity type": {
			"request": {"components": [_component("user", "exact", "a"), _component("", "any", null)]},
			"errors": ["Unknown entity type \"\": use client-id or user"],
		},
		"twice": {
			"request": {"components": [_component("user", "exact", "a"), _component("user", "any", null)]},
			"errors": ["Entity type user cannot appear more than once in the filter"],
		},
		"unknown match type": {
			"request": {"components": [_component("user", 3, null)]},
			"errors": ["user: unknown match type 3: use exact, default or any"],
		},
		"unknown match type in words": {
			"request": {"components": [_component("user", "Exact", "a")]},
			"errors": ["user: unknown match type \"Exact\": use exact, default or any"],
		},
		"exact of null": {
			"request": {"components": [_component("user", "exact", null)]},
			"errors": ["user: an exact match needs a string to match"],
		},
		"exact of nothing": {
			"request": {"components": [{"entityType": "user", "matchType": 0}]},
			"errors": ["user: an exact match needs a string to match"],
		},
		"default of something": {
			"request": {"components": [_component("user", "default", "a")]},
			"errors": ["user: match type default takes no string to match"],
		},
		"any of something": {
			"request": {"components": [_component("user", 2, "")]},
			"errors": ["user: match type any takes no string to match"],
		},
		"resolving any": {
			"request": _resolve([_component("user", "any", null)], {}),
			"errors": ["user: a client that resolves itself gives its own name, with an exact match"],
		},
		"resolving twice": {
			"request": _resolve(array.concat(_itself, [_component("client-id", "exact", "b")]), {}),
			"errors": ["Entity type client-id cannot appear more than once in the filter"],
		},
		"resolving a default client": {
			"request": _resolve([_component("user", "exact", "a"), _component("client-id", "exact", "<default>")], {}),
			"errors": ["client-id: a client that resolves itself gives its own name, with an exact match"],
		},
		"registering what is not resolved": {
			"request": {"components": [_component("user", "exact", "admin")], "supportedConfigs": []},
			"errors": [_registers],
		},
		"registering for another": {"request": _resolve(_itself, {"supportedConfigs": ["acks"]}), "errors": [_registers]},
	}
	_denial(42, "INVALID_REQUEST", tc.errors, []) == _decide(_ask("DescribeClientConfigs", tc.request, {}))
}

_may_not(principal, operation) := sprintf("%s has no %s on the cluster.", [principal, operation])

test_who_may_describe[note] if {
	some note, tc in {
		"mallory": {"fields": _principal("mallory"), "request": {"components": _itself}, "who": "User:mallory"},
		"the user itself, but not resolving": {
			"fields": _principal("alice"),
			"request": {"components": _itself},
			"who": "User:alice",
		},
		"another": {"fields": _principal("bob"), "request": _resolve(_itself, {}), "who": "User:bob"},
		"another type of the same name": {
			"fields": {"principal": {"type": "Group", "name": "alice"}},
			"request": _resolve(_itself, {}),
			"who": "Group:alice",
		},
	}
	messages := [_may_not(tc.who, "DESCRIBE_CONFIGS")]
	decision := _decide(_ask("DescribeClientConfigs", tc.request, tc.fields))
	decision == _denial(31, "CLUSTER_AUTHORIZATION_FAILED", messages, [])
}

test_who_is_not_known_is_anonymous if {
	document := object.remove(_ask("DescribeClientConfigs", {"components": _itself}, {}), ["principal"])
	messages := [_may_not("User:ANONYMOUS", "DESCRIBE_CONFIGS")]
	_decide(document) == _denial(31, "CLUSTER_AUTHORIZATION_FAILED", messages, [])
}

_alter(entity, ops) := {"entity": entity, "ops": ops}

_set(key, value) := {"key": key, "value": value}

test_alter[note] if {
	some note, tc in {
		"set, in the form that is stored": {
			"request": _alter(_alice_client, [_set("acks", " all"), _set("session.timeout.ms", "12000")]),
			"values": {"acks": "-1", "heartbeat.interval.ms": "2000", "session.timeout.ms": "12000"},
		},
		"removed, whatever the value": {
			"request": _alter(_alice_client, [{"key": "acks", "value": "2", "remove": true}]),
			"values": {"heartbeat.interval.ms": "2000"},
		},
		"removed where it is not": {
			"request": _alter(_alice_client, [{"key": "session.timeout.ms", "remove": true}]),
			"values": _override.values,
		},
		"nothing": {"request": _alter(_alice_client, []), "values": _override.values},
		"a new user": {"request": _alter({"user": "carol"}, [_set("acks", "1")]), "values": {"acks": "1"}},
		"the default user": {"request": _alter({"user": null}, [_set("acks", "0")]), "values": {"acks": "0"}},
		"the default client": {
			"request": _alter({"user": "alice", "clientId": null}, [_set("heartbeat.interval.ms", "1")]),
			"values": {"acks": "1", "heartbeat.interval.ms": "1"},
		},
	}
	entry := {"entity": tc.request.entity, "error": null, "values": tc.values, "apply": true}
	object.union(_quiet, {"entries": [entry]}) == _decide(_ask("AlterClientConfigs", tc.request, {}))
}

test_only_validated if {
	request := _alter(_alice_client, [_set("acks", "1")])
	decision := _decide(_ask("AlterClientConfigs", request, {"validateOnly": true}))
	values := object.union(_override.values, {"acks": "1"})
	decision == object.union(_quiet, {"entries": [{
		"entity": _alice_client,
		"error": null,
		"values": values,
		"apply": false,
	}]})
}

test_alter_refusals[note] if {
	some note, tc in {
		"no user": {
			"request": _alter({"clientId": "a"}, []),
			"errors": ["The entity has no user: client configs belong to a user, or to a client-id of a user"],
			"values": {},
		},
		"unknown entity type": {
			"request": _alter({"user": "a", "ip": "10.0.0.1"}, []),
			"errors": ["Unknown entity type ip: use clientId, user"],
			"values": {},
		},
		"empty names": {
			"request": _alter({"user": "", "clientId": ""}, []),
			"errors": ["Empty clientId not supported", "Empty user not supported"],
			"values": {},
		},
		"a reserved name": {
			"request": _alter({"user": "<default>"}, []),
			"errors": ["The user <default> is reserved: give null for the default entity"],
			"values": {"acks": "1"},
		},
		"acks=2": {
			"request": _alter(_alice_client, [_set("acks", "2")]),
			"errors": ["Invalid value 2 for configuration acks: String must be one of: all, -1, 0, 1"],
			"values": _override.values,
		},
		"unknown key": {
			"request": _alter(_alice_client, [_set("linger.ms", "5")]),
			"errors": ["Unknown client config linger.ms: use one of acks, heartbeat.interval.ms, session.timeout.ms"],
			"values": _override.values,
		},
		"a quota": {
			"request": _alter(_alice_client, [_set("producer_byte_rate", "50000"), _set("acks", "1")]),
			"errors": ["producer_byte_rate is a quota, not a client config: alter it as a client quota"],
			"values": _override.values,
		},
		"a quota, no number": {
			"request": _alter(_alice_client, [_set("producer_byte_rate", "x")]),
			"errors": ["producer_byte_rate is a quota, not a client config: alter it as a client quota"],
			"values": _override.values,
		},
		"registrations": {
			"request": _alter(_alice_client, [{"key": "supported.configs", "remove": true}]),
			"errors": ["Unknown client config supported.configs: use one of acks, heartbeat.interval.ms, session.timeout.ms"],
			"values": _override.values,
		},
		"twice": {
			"request": _alter(_alice_client, [_set("acks", "1"), {"key": "acks", "remove": true}]),
			"errors": ["Duplicate client config acks in one request"],
			"values": _override.values,
		},
		"twice with different values": {
			"request": _alter(_alice_client, [_set("acks", "1"), _set("acks", "0")]),
			"errors": ["Duplicate client config acks in one request"],
			"values": _override.values,
		},
		"no value": {
			"request": _alter(_alice_client, [{"key": "acks"}, _set("session.timeout.ms", null)]),
			"errors": [
				"acks: neither a value nor \"remove\": true",
				"session.timeout.ms: neither a value nor \"remove\": true",
			],
			"values": _override.values,
		},
	}
	error := {"code": 42, "name": "INVALID_REQUEST", "message": concat("; ", tc.errors)}
	entry := {"entity": tc.request.entity, "error": error, "values": tc.values, "apply": false}
	_denial(42, "INVALID_REQUEST", tc.errors, [entry]) == _decide(_ask("AlterClientConfigs", tc.request, {}))
}

test_altering_needs_more_than_describing if {
	bindings := {"User:admin": [_binding({"operation": "DESCRIBE_CONFIGS"})]}
	state := {"clusterState": object.union(object.remove(_state, ["acls"]), {"acls": bindings})}
	altered := _decide(_ask("AlterClientConfigs", _alter(_alice_client, []), state))
	altered.error.name == "CLUSTER_AUTHORIZATION_FAILED"
	altered.errors == [_may_not("User:admin", "ALTER_CONFIGS")]
	[entry.apply | some entry in altered.entries] == [false]
	described := _decide(_ask("DescribeClientConfigs", {"components": _itself}, state))
	described.allowed
}

# An audit says whether what is stored keeps the rules; who asks does not matter.
test_audit[note] if {
	some note, tc in {
		"an entity": {"entity": _alice_client, "decision": _quiet},
		"nothing stored": {"entity": {"user": "zoe"}, "decision": _quiet},
		"no user": {"entity": {}, "decision": object.remove(
			_denial(
				42, "INVALID_REQUEST",
				["The entity has no user: client configs belong to a user, or to a client-id of a user"], [],
			),
			["entries"],
		)},
	}
	document := object.remove(_ask("AuditClientConfigs", {"entity": tc.entity}, {}), ["principal"])
	tc.decision == _decide(document)
}

test_what_rules_see[note] if {
	some note, tc in {
		"alter": {
			"document": _ask(
				"AlterClientConfigs",
				_alter(_alice_client, [_set("acks", "all"), {"key": "x", "remove": true}]),
				{},
			),
			"sees": {
				"hasBefore": true,
				"entity": _alice_client,
				"current": {"configs": _override.values, "values": {"acks": "0", "heartbeat.interval.ms": 2000}},
				"requested": {
					"configs": {"acks": "-1", "heartbeat.interval.ms": "2000"},
					"values": {"acks": "-1", "heartbeat.interval.ms": 2000},
				},
				"effective": {
					"configs": {"acks": "-1", "heartbeat.interval.ms": "2000", "session.timeout.ms": "11000"},
					"values": {"acks": "-1", "heartbeat.interval.ms": 2000, "session.timeout.ms": 11000},
				},
				"change": {
					"before": _override.values,
					"after": {"acks": "-1", "heartbeat.interval.ms": "2000"},
					"explicit": {"acks": "-1", "x": null},
					"implicitlyDeleted": [],
				},
			},
		},
		"audit of a user": {
			"document": _ask("AuditClientConfigs", {"entity": _alice}, {}),
			"sees": {
				"entity": _alice,
				"current": {"configs": _user_alice.values, "values": {"acks": "-1", "session.timeout.ms": 11000}},
				"requested": {"configs": _user_alice.values, "values": {"acks": "-1", "session.timeout.ms": 11000}},
				"effective": {"configs": _user_alice.values, "values": {"acks": "-1", "session.timeout.ms": 11000}},
			},
		},
		"audit of any client": {
			"document": _ask("AuditClientConfigs", {"entity": {"user": "alice", "clientId": null}}, {}),
			"sees": {
				"entity": {"user": "alice", "clientId": null},
				"current": {"configs": {"acks": "1"}, "values": {"acks": "1"}},
				"requested": {"configs": {"acks": "1"}, "values": {"acks": "1"}},
				"effective": {"configs": {"acks": "1"}, "values": {"acks": "1"}},
			},
		},
		"describe": {
			"document": _ask("DescribeClientConfigs", {"components": _itself}, {}),
			"sees": {"entity": {}, "current": null, "requested": null},
		},
		"resolve": {
			"document": _ask("DescribeClientConfigs", _resolve(_itself, {}), {}),
			"sees": {"entity": _alice_client, "current": null, "requested": null},
		},
	}
	prepared := client_configs.prepared(tc.document, {"now": 7, "params": {"A": {}}})
	prepared == object.union_n([tc.document, {"now": 7, "params": {"A": {}}, "labels": {}}, tc.sees])
}
