package kafka.model.acls_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.acls

_acl := {
	"resourceType": "TOPIC",
	"resourceName": "shop.orders",
	"patternType": "LITERAL",
	"principal": "User:alice",
	"host": "*",
	"operation": "READ",
	"permissionType": "ALLOW",
}

test_prepared[operation] if {
	some operation in ["CreateAcl", "DeleteAcl", "AuditAcl"]
	prepared := acls.prepared({"operation": operation, "request": {"acl": _acl}}, {
		"now": 1,
		"params": {"KFK-ACL-001": {}},
	})
	prepared == {
		"operation": operation,
		"request": {"acl": _acl},
		"now": 1,
		"params": {"KFK-ACL-001": {}},
		"acl": _acl,
		"labels": {},
		"current": null,
		"requested": _acl,
	}
}

test_decided[note] if {
	some note, tc in {
		"create": {"operation": "CreateAcl", "acl": _acl},
		"audit": {"operation": "AuditAcl", "acl": _acl},
		"delete by a filter": {"operation": "DeleteAcl", "acl": {"principal": "User:alice", "host": null}},
	}
	document := object.union(
		object.remove(fixtures.document({"operation": tc.operation}), ["request"]),
		{"request": {"acl": tc.acl}},
	)
	fixtures.allowed == fixtures.decide(document, {})
}
