package kafka.model.acls_test

import data.kafka.model.acls

_cluster_name := "The only valid name for the CLUSTER resource is kafka-cluster"

_no_colon(principal) := concat("", [
	$"Could not parse principal from `{principal}` ",
	"(no colon is present separating the principal type from the principal name)",
])

test_creation_refused[note] if {
	some note, tc in {
		"plain": {"acl": {}, "refused": set()},
		"in small letters": {"acl": {"operation": "read", "resourceType": "topic"}, "refused": set()},
		"an operation that topics lack": {"acl": {"operation": "CREATE_TOKENS"}, "refused": set()},
		"a prefix": {"acl": {"patternType": "PREFIXED"}, "refused": set()},
		"the cluster": {"acl": {"resourceType": "CLUSTER", "resourceName": "kafka-cluster"}, "refused": set()},
		"another cluster": {"acl": {"resourceType": "cluster"}, "refused": {_cluster_name}},
		"a cluster without a name": {"acl": {"resourceType": "CLUSTER", "resourceName": ""}, "refused": {_cluster_name}},
		"no name": {"acl": {"resourceName": "", "operation": "XX"}, "refused": {"Invalid empty resource name"}},
		"any type": {"acl": {"resourceType": "ANY", "operation": "ANY"}, "refused": {"Invalid resourceType ANY"}},
		"no type of Kafka's": {"acl": {"resourceType": "XX"}, "refused": {"Invalid resourceType UNKNOWN"}},
		"a filter's pattern": {"acl": {"patternType": "match"}, "refused": {"Invalid patternType MATCH"}},
		"any operation": {"acl": {"operation": "ANY"}, "refused": {"Invalid operation ANY"}},
		"an operation as tools write it": {
			"acl": {"operation": "DescribeConfigs"},
			"refused": {"Invalid operation UNKNOWN"},
		},
		"no host": {"acl": {"host": ""}, "refused": {"Host pattern cannot be null or empty"}},
		"a range of hosts": {"acl": {"host": "10.0.0.0/8"}, "refused": set()},
		"no range": {
			"acl": {"host": "10.0.0.0/33"},
			"refused": {"Invalid CIDR notation '10.0.0.0/33': Value [33] not in range [0,32]"},
		},
		"any permission": {"acl": {"permissionType": "ANY"}, "refused": {"Invalid permissionType ANY"}},
		"a principal without a type": {"acl": {"principal": "alice"}, "refused": {_no_colon("alice")}},
		"a principal that is only a colon": {"acl": {"principal": ":"}, "refused": set()},
	}
	tc.refused == {refusal.message | some refusal in acls.refusals("CreateAcl", object.union(_acl, tc.acl))}
}

test_deletion_refused[note] if {
	some note, tc in {
		"everything": {"acl": {}, "refused": set()},
		"nulls": {"acl": {"resourceType": null, "operation": null, "principal": null}, "refused": set()},
		"any": {"acl": {"resourceType": "any", "patternType": "MATCH", "operation": "ANY"}, "refused": set()},
		"whoever": {"acl": {"principal": "alice", "resourceName": "", "host": ""}, "refused": set()},
		"no type of Kafka's": {"acl": {"resourceType": "XX", "operation": "XX"}, "refused": {"Unknown patternFilter."}},
		"no pattern of Kafka's": {"acl": {"patternType": ""}, "refused": {"Unknown patternFilter."}},
		"no operation of Kafka's": {"acl": {"operation": "UNKNOWN"}, "refused": {"Unknown entryFilter."}},
		"no permission of Kafka's": {"acl": {"permissionType": "x"}, "refused": {"Unknown entryFilter."}},
	}
	tc.refused == {refusal.message | some refusal in acls.refusals("DeleteAcl", tc.acl)}
}

test_audit_not_refused if acls.refusals("AuditAcl", {"resourceType": "XX"}) == set()
