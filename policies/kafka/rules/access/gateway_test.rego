package kafka.rules.access_test

import data.kafka.rules.access as family

_gateway := {
	"hosts": ["10.0.0.7", "10.0.0.8"],
	"rights": {"TOPIC": ["CREATE", "DELETE"], "CLUSTER": ["ALTER"]},
}

_gateway_violation(operation, resource, host, hosts) := {
	"rule": "KFK-ACL-004",
	"severity": "high",
	"message": sprintf("the ACL grants User:shop %s of %s from host %s, past the gateway", [operation, resource, host]),
	"fix": sprintf("grant it from the gateways' hosts alone: %s", [hosts]),
	"path": ["acl", "host"],
	"patch": [],
}

test_gateway[note] if {
	both := "10.0.0.7, 10.0.0.8"
	some note, tc in {
		"data": {"fields": {"host": "*"}, "deny": set()},
		"a change from everywhere": {
			"fields": {"host": "*", "operation": "CREATE"},
			"deny": {_gateway_violation("CREATE", "TOPIC", "*", both)},
		},
		"a change from another host": {
			"fields": {"host": "10.0.0.9", "operation": "DELETE"},
			"deny": {_gateway_violation("DELETE", "TOPIC", "10.0.0.9", both)},
		},
		"a change from a gateway": {"fields": {"host": "10.0.0.8", "operation": "CREATE"}, "deny": set()},
		"all operations": {
			"fields": {"host": "*", "operation": "ALL"},
			"deny": {_gateway_violation("ALL", "TOPIC", "*", both)},
		},
		"all operations from a gateway": {"fields": {"host": "10.0.0.7", "operation": "ALL"}, "deny": set()},
		"in small letters": {
			"fields": {"host": "*", "operation": "Alter", "resourceType": "Cluster"},
			"deny": {_gateway_violation("Alter", "Cluster", "*", both)},
		},
		"another type's right": {"fields": {"host": "*", "operation": "DELETE", "resourceType": "CLUSTER"}, "deny": set()},
		"all of a type without changes": {
			"fields": {"host": "*", "operation": "ALL", "resourceType": "TRANSACTIONAL_ID"},
			"deny": set(),
		},
		"taken away": {"fields": {"host": "*", "operation": "CREATE", "permissionType": "DENY"}, "deny": set()},
	}
	deny := family.deny with input as _bound("AuditAcl", "KFK-ACL-004", _gateway, tc.fields)
	tc.deny == deny
}

test_gateway_ranges[note] if {
	some note, tc in {
		"a gateway as a range": {"host": "10.0.0.7/32", "hosts": ["10.0.0.7"], "n": 0},
		"a gateway and others": {"host": "10.0.0.6/31", "hosts": ["10.0.0.7"], "n": 1},
		"everybody": {"host": "0.0.0.0/0", "hosts": ["10.0.0.7"], "n": 1},
		"a gateway of a range": {"host": "10.0.0.7", "hosts": ["10.0.0.0/28"], "n": 0},
		"some gateways of a range": {"host": "10.0.0.8/30", "hosts": ["10.0.0.0/28"], "n": 0},
		"beyond the range": {"host": "10.0.0.0/27", "hosts": ["10.0.0.0/28"], "n": 1},
		"all hosts in the parameter": {"host": "10.0.0.7", "hosts": ["*"], "n": 1},
	}
	params := object.union(_gateway, {"hosts": tc.hosts})
	deny := family.deny with input as _bound("CreateAcl", "KFK-ACL-004", params, {"host": tc.host, "operation": "CREATE"})
	tc.n == count(deny)
}

test_gateway_without_hosts if {
	params := object.union(_gateway, {"hosts": []})
	fields := {"host": "10.0.0.7", "operation": "CREATE"}
	deny := family.deny with input as _bound("CreateAcl", "KFK-ACL-004", params, fields)
	deny == {object.union(_gateway_violation("CREATE", "TOPIC", "10.0.0.7", ""), {"fix": concat("", [
		"have those who run the cluster name the gateways in `hosts` of this rule, ",
		"and grant it from these alone",
	])})}
}
