package kafka.rules.clients_test

import data.kafka.rules.clients as family

_client_id_input(operation, entity) := {
	"operation": operation,
	"params": {"KFK-CLI-005": {"pattern": "^[a-z]+$"}},
	"entity": entity,
}

_unnamed(problem) := {
	"rule": "KFK-CLI-005",
	"severity": "low",
	"message": problem,
	"fix": "give the application a client.id that matches ^[a-z]+$",
	"path": ["entity", "clientId"],
	"patch": [],
}

test_client_id[note] if {
	some note, tc in {
		"good": {"operation": "AlterClientConfigs", "entity": _app, "deny": set()},
		"a user alone": {"operation": "AlterClientConfigs", "entity": _alice, "deny": set()},
		"the default client": {"operation": "AlterClientConfigs", "entity": {"user": "a", "clientId": null}, "deny": set()},
		"bad": {
			"operation": "AlterClientConfigs",
			"entity": {"user": "a", "clientId": "App 1"},
			"deny": {_unnamed("client.id App 1 does not match ^[a-z]+$")},
		},
		"audited": {
			"operation": "AuditClientConfigs",
			"entity": {"user": "a", "clientId": "app1"},
			"deny": {_unnamed("client.id app1 does not match ^[a-z]+$")},
		},
		"resolving": {"operation": "DescribeClientConfigs", "entity": _app, "deny": set()},
		"resolving without": {
			"operation": "DescribeClientConfigs",
			"entity": _alice,
			"deny": {_unnamed("a client of user alice has no client.id")},
		},
		"describing": {"operation": "DescribeClientConfigs", "entity": {}, "deny": set()},
		"another operation": {"operation": "AlterQuota", "entity": {"user": "a", "clientId": "App 1"}, "deny": set()},
	}
	deny := family.deny with input as _client_id_input(tc.operation, tc.entity)
	tc.deny == deny
}
