package kafka.rules.naming_test

import data.kafka.rules.naming as family

_client_params := {"groupPattern": "^g\\.", "txnPattern": "^t\\.", "clientIdPattern": "^c\\."}

_client_violation(kind, name, pattern, path) := {
	"rule": "KFK-NAM-006",
	"severity": "low",
	"message": sprintf("%s \"%s\" does not match the convention %s", [kind, name, pattern]),
	"fix": sprintf("choose a name that matches %s, beginning with the team's prefix", [pattern]),
	"path": path,
	"patch": [],
}

_bound(type, pattern_type, name) := {"acl": {"resourceType": type, "patternType": pattern_type, "resourceName": name}}

_group(name) := {_client_violation("consumer group", name, "^g\\.", ["acl", "resourceName"])}

_transaction(name) := {_client_violation("transactional id", name, "^t\\.", ["acl", "resourceName"])}

test_client_names[note] if {
	some note, tc in {
		"group, configured": {
			"operation": "AlterConfig",
			"fields": {"resource": {"type": "group", "name": "x"}},
			"deny": {_client_violation("consumer group", "x", "^g\\.", ["resource", "name"])},
		},
		"group, as it should be": {
			"operation": "AlterConfig",
			"fields": {"resource": {"type": "group", "name": "g.x"}},
			"deny": set(),
		},
		"client metrics": {
			"operation": "AlterConfig",
			"fields": {"resource": {"type": "client-metrics", "name": "x"}},
			"deny": set(),
		},
		"group, granted": {"operation": "CreateAcl", "fields": _bound("GROUP", "LITERAL", "x"), "deny": _group("x")},
		"group, granted, as it should be": {
			"operation": "CreateAcl",
			"fields": _bound("GROUP", "LITERAL", "g.x"),
			"deny": set(),
		},
		"in small letters": {"operation": "CreateAcl", "fields": _bound("group", "literal", "x"), "deny": _group("x")},
		"nameless group": {"operation": "CreateAcl", "fields": _bound("GROUP", "LITERAL", ""), "deny": _group("")},
		"prefix of groups": {"operation": "CreateAcl", "fields": _bound("GROUP", "PREFIXED", "x"), "deny": set()},
		"all groups": {"operation": "CreateAcl", "fields": _bound("GROUP", "LITERAL", "*"), "deny": set()},
		"a topic": {"operation": "CreateAcl", "fields": _bound("TOPIC", "LITERAL", "x"), "deny": set()},
		"transactional id, granted": {
			"operation": "AuditAcl",
			"fields": _bound("TRANSACTIONAL_ID", "LITERAL", "g.x"),
			"deny": _transaction("g.x"),
		},
		"transactional id, as it should be": {
			"operation": "AuditAcl",
			"fields": _bound("TRANSACTIONAL_ID", "LITERAL", "t.x"),
			"deny": set(),
		},
		"client id with quota": {
			"operation": "AlterQuota",
			"fields": {"entity": {"user": "alice", "clientId": "x"}},
			"deny": {_client_violation("client id", "x", "^c\\.", ["entity", "clientId"])},
		},
		"client id, as it should be": {"operation": "AlterQuota", "fields": {"entity": {"clientId": "c.x"}}, "deny": set()},
		"default client id": {"operation": "AlterQuota", "fields": {"entity": {"clientId": null}}, "deny": set()},
		"user alone": {"operation": "AlterQuota", "fields": {"entity": {"user": "x"}}, "deny": set()},
		"deletion of an ACL": {"operation": "DeleteAcl", "fields": _bound("GROUP", "LITERAL", "x"), "deny": set()},
	}
	prepared := object.union(tc.fields, {"operation": tc.operation, "params": {"KFK-NAM-006": _client_params}})
	deny := family.deny with input as prepared
	tc.deny == deny
}
