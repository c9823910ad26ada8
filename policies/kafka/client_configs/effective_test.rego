package kafka.client_configs_test

import data.kafka.client_configs
import data.kafka.fixtures_test as fixtures

# The seed's example and near misses of its names.
_stored := {
	"alice": {
		"": {"acks": "-1", "session.timeout.ms": "11000", "producer_byte_rate": "50000"},
		"clientid-override": {"acks": "0", "heartbeat.interval.ms": "2000", "producer_byte_rate": "60000"},
		"<default>": {"acks": "1"},
	},
	"<default>": {"": {"acks": "1"}, "clientid-override": {"acks": "1"}},
	"bob": {"only": {"acks": "1"}},
}

_alice := {"user": "alice"}

_alice_client := {"user": "alice", "clientId": "clientid-override"}

test_resolved[note] if {
	some note, tc in {
		"a client with its own": {
			"of": ["alice", "clientid-override"],
			"configs": {"acks": "0", "heartbeat.interval.ms": "2000", "session.timeout.ms": "11000"},
			"sources": {
				"acks": _alice_client,
				"heartbeat.interval.ms": _alice_client,
				"session.timeout.ms": _alice,
			},
		},
		"a client without": {
			"of": ["alice", "clientid"],
			"configs": {"acks": "-1", "session.timeout.ms": "11000"},
			"sources": {"acks": _alice, "session.timeout.ms": _alice},
		},
		"no client-id": {
			"of": ["alice", null],
			"configs": {"acks": "-1", "session.timeout.ms": "11000"},
			"sources": {"acks": _alice, "session.timeout.ms": _alice},
		},
		"an empty client-id": {
			"of": ["alice", ""],
			"configs": {"acks": "-1", "session.timeout.ms": "11000"},
			"sources": {"acks": _alice, "session.timeout.ms": _alice},
		},
		"a client that is called as the default entity is stored": {
			"of": ["alice", "<default>"],
			"configs": {"acks": "-1", "session.timeout.ms": "11000"},
			"sources": {"acks": _alice, "session.timeout.ms": _alice},
		},
		"a user with nothing of its own": {
			"of": ["bob", "only"],
			"configs": {"acks": "1"},
			"sources": {"acks": {"user": "bob", "clientId": "only"}},
		},
		"a user of whom nothing is stored has no defaults": {
			"of": ["carol", "clientid-override"],
			"configs": {},
			"sources": {},
		},
	}
	[user, client_id] := tc.of
	{"configs": tc.configs, "sources": tc.sources} == client_configs.resolved(_stored, user, client_id)
}

_effective(document) := result if {
	result := client_configs.effective with input as document
		with data.clusters as {
			"prod": {"clientConfigs": _stored},
			"new": {},
			"loading": {"clientConfigs": _stored, "meta": {"loading": true}},
		}
}

test_effective[note] if {
	some note, tc in {
		"replicated": {"document": {"cluster": "prod", "user": "bob", "clientId": "only"}, "configs": {"acks": "1"}},
		"no client-id": {"document": {"cluster": "prod", "user": "bob"}, "configs": {}},
		"null": {"document": {"cluster": "prod", "user": "bob", "clientId": null}, "configs": {}},
		"carried state stands in": {
			"document": {
				"cluster": "prod",
				"user": "bob",
				"clientId": "only",
				"clusterState": {"clientConfigs": {"bob": {"": {"acks": "0"}}}},
			},
			"configs": {"acks": "0"},
		},
	}
	tc.configs == _effective(tc.document).configs
}

_unresolved(errors) := {"configs": {}, "sources": {}, "errors": errors}

test_what_cannot_be_resolved[note] if {
	some note, tc in {
		"a list": {"document": [], "errors": ["the input is not a JSON object: send cluster, user and clientId"]},
		"nothing": {"document": {}, "errors": [
			"cluster: null is not a name: give a non-empty string",
			"user: null is not a name: give a non-empty string",
		]},
		"user empty": {
			"document": {"cluster": "prod", "user": ""},
			"errors": ["user: \"\" is not a name: give a non-empty string"],
		},
		"user default": {
			"document": {"cluster": "prod", "user": "<default>"},
			"errors": ["user: \"<default>\" is not a name: give a non-empty string"],
		},
		"user number": {
			"document": {"cluster": "prod", "user": 7},
			"errors": ["user: 7 is not a name: give a non-empty string"],
		},
		"client-id number": {
			"document": {"cluster": "prod", "user": "a", "clientId": 7},
			"errors": ["clientId: 7 is not a string or null"],
		},
		"unknown field": {
			"document": {"cluster": "prod", "user": "a", "client-id": "b"},
			"errors": ["client-id: unknown field: use cluster, user, clientId or clusterState"],
		},
		"unknown cluster": {
			"document": {"cluster": "pr", "user": "a"},
			"errors": ["cluster: no client configs are known of \"pr\": replicate it or send clusterState"],
		},
		"a cluster of which they are not known": {
			"document": {"cluster": "new", "user": "a"},
			"errors": ["cluster: no client configs are known of \"new\": replicate it or send clusterState"],
		},
		"a cluster that is being loaded": {
			"document": {"cluster": "loading", "user": "a"},
			"errors": ["cluster: no client configs are known of \"loading\": replicate it or send clusterState"],
		},
		"carried state without them": {
			"document": {"cluster": "prod", "user": "a", "clusterState": {}},
			"errors": ["cluster: no client configs are known of \"prod\": replicate it or send clusterState"],
		},
	}
	_unresolved(tc.errors) == _effective(tc.document)
}

test_no_input if {
	client_configs.effective.errors == ["the input is missing: send cluster, user and clientId"]
	client_configs.accepted.errors == ["the input is missing: send kind, static and dynamic"]
}

# A state that is not of the contract's form is not taken for an empty one.
test_state_that_cannot_be_read[note] if {
	unreadable := "clusterState: what is stored for user alice cannot be read: replicate it again or send all of it"
	messages := {
		"a list of entities": "cluster: no client configs are known of \"c\": replicate it or send clusterState",
		"a user that is not an object": unreadable,
		"an entity that is not an object": unreadable,
	}
	some note, stored in {
		"a list of entities": [],
		"a user that is not an object": {"alice": "acks=1"},
		"an entity that is not an object": {"alice": {"": "acks=1"}},
	}
	document := {"cluster": "c", "user": "alice", "clusterState": {"clientConfigs": stored}}
	result := client_configs.effective with input as document
	result == _unresolved([messages[note]])
}

# What is not known is not taken for empty.
test_a_state_without_client_configs[operation] if {
	some operation, request in {
		"DescribeClientConfigs": {"components": _itself},
		"AlterClientConfigs": _alter(_alice_client, []),
		"AuditClientConfigs": {"entity": _alice_client},
	}
	document := _ask(operation, request, {"clusterState": null})
	decision := _decide(object.union(document, {"clusterState": object.remove(_state, ["clientConfigs"])}))
	decision == fixtures.refused([
		"clusterState: the state of this resource is incomplete: replicate it again or send all of it",
	])
}
