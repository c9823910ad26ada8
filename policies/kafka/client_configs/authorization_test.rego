package kafka.client_configs_test

import data.kafka.client_configs

_may(bindings, operation) if client_configs.is_authorized(_document(bindings, {}), operation)

_document(bindings, principal) := {
	"cluster": "c",
	"principal": object.union({"type": "User", "name": "admin"}, principal),
	"clusterState": {"acls": bindings},
}

_granted(bindings) := {operation | some operation in ["DESCRIBE_CONFIGS", "ALTER_CONFIGS"]; _may(bindings, operation)}

_operations := {"DESCRIBE_CONFIGS", "ALTER_CONFIGS"}

_admin_acls(bindings) := {"User:admin": [_binding(fields) | some fields in bindings]}

test_bindings[note] if {
	some note, tc in {
		"none": {"bindings": {}, "may": set()},
		"alter implies describe": {"bindings": _admin_acls([{}]), "may": _operations},
		"describe": {"bindings": _admin_acls([{"operation": "DESCRIBE_CONFIGS"}]), "may": {"DESCRIBE_CONFIGS"}},
		"all": {"bindings": _admin_acls([{"operation": "ALL"}]), "may": _operations},
		"alter is not alter configs": {"bindings": _admin_acls([{"operation": "ALTER"}]), "may": set()},
		"in camel case": {
			"bindings": _admin_acls([{
				"resourceType": "Cluster",
				"patternType": "Literal",
				"operation": "DescribeConfigs",
				"permissionType": "Allow",
			}]),
			"may": {"DESCRIBE_CONFIGS"},
		},
		"of everybody": {"bindings": {"User:*": [_binding({"principal": "User:*"})]}, "may": _operations},
		"of another": {"bindings": {"User:admins": [_binding({"principal": "User:admins"})]}, "may": set()},
		"a wildcard resource": {"bindings": _admin_acls([{"resourceName": "*"}]), "may": _operations},
		"another name": {"bindings": _admin_acls([{"resourceName": "kafka"}]), "may": set()},
		"a prefix": {"bindings": _admin_acls([{"patternType": "PREFIXED", "resourceName": "kafka-"}]), "may": _operations},
		"another prefix": {
			"bindings": _admin_acls([{"patternType": "PREFIXED", "resourceName": "kafka-clusters"}]),
			"may": set(),
		},
		"a topic of that name": {"bindings": _admin_acls([{"resourceType": "TOPIC"}]), "may": set()},
		"deny goes first": {"bindings": _admin_acls([{}, {"permissionType": "DENY"}]), "may": {"DESCRIBE_CONFIGS"}},
		"deny all": {"bindings": _admin_acls([{}, {"permissionType": "DENY", "operation": "ALL"}]), "may": set()},
		"deny everybody": {
			"bindings": object.union(_admin_acls([{}]), {"User:*": [_binding({"permissionType": "DENY"})]}),
			"may": {"DESCRIBE_CONFIGS"},
		},
		"deny by a prefix": {
			"bindings": _admin_acls([{}, {"permissionType": "DENY", "patternType": "PREFIXED", "resourceName": "k"}]),
			"may": {"DESCRIBE_CONFIGS"},
		},
		"deny of describing leaves altering": {
			"bindings": _admin_acls([{}, {"permissionType": "DENY", "operation": "DESCRIBE_CONFIGS"}]),
			"may": {"ALTER_CONFIGS"},
		},
		"from one host, which is not known": {"bindings": _admin_acls([{"host": "10.0.0.1"}]), "may": set()},
		"denied from one host, which is not known": {
			"bindings": _admin_acls([{}, {"permissionType": "DENY", "host": "10.0.0.1"}]),
			"may": {"DESCRIBE_CONFIGS"},
		},
	}
	tc.may == _granted(tc.bindings)
}

test_hosts[note] if {
	some note, tc in {
		"the same": {"bindings": [{"host": "10.0.0.1"}], "may": true},
		"another": {"bindings": [{"host": "10.0.0.2"}], "may": false},
		"its range": {"bindings": [{"host": "10.0.0.0/24"}], "may": true},
		"another range": {"bindings": [{"host": "10.0.1.0/24"}], "may": false},
		"a range that is denied": {"bindings": [{}, {"permissionType": "DENY", "host": "0.0.0.0/0"}], "may": false},
		"an address in another spelling": {"bindings": [{"host": "010.0.0.1"}], "may": false},
		"denied": {"bindings": [{}, {"permissionType": "DENY", "host": "10.0.0.1"}], "may": false},
		"denied elsewhere": {"bindings": [{}, {"permissionType": "DENY", "host": "10.0.0.2"}], "may": true},
	}
	document := _document(_admin_acls(tc.bindings), {"host": "10.0.0.1"})
	may := {true | client_configs.is_authorized(document, "ALTER_CONFIGS")}
	may == {true | tc.may}
}

test_super_users[note] if {
	some note, tc in {
		"none": {"users": [], "may": false},
		"by name": {"users": ["User:other", "User:admin"], "may": true},
		"near miss": {"users": ["User:admi", "User:administrator", "Group:admin"], "may": false},
		"by pattern": {"users": ["User:adm*"], "may": true},
		"everybody": {"users": ["User:*"], "may": true},
	}
	bindings := _admin_acls([{"permissionType": "DENY", "operation": "ALL"}])
	users := tc.users
	document := _document(bindings, {})
	may := {true | client_configs.is_authorized(document, "ALTER_CONFIGS")} with data.settings.compiled.superUsers as users
	may == {true | tc.may}
}
