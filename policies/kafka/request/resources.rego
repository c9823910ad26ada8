package kafka.request

# METADATA
# description: Types of what requests about brokers, groups, ACLs, quotas and credentials carry.
# scope: rule
is_a("offsets", value) if {
	is_object(value)
	every partition, offset in value {
		_partition(partition)
		_integer(offset)
		offset >= -1
	}
}

is_a("resource", {"type": type, "name": name}) if {
	type in {"group", "client-metrics", "broker-logger"}
	is_string(name)
}

is_a("acl", value) if {
	object.keys(value) == _acl_fields
	every text in value { is_string(text) }
}

is_a("aclFilter", value) if {
	object.keys(value) - _acl_fields == set()
	every text in value { type_name(text) in {"string", "null"} }
}

is_a("quotaEntity", value) if {
	value != {}
	object.keys(value) - {"user", "clientId", "ip"} == set()
	every name in value { type_name(name) in {"string", "null"} }
}

is_a("quotaOps", value) if {
	every op in value { _quota_op(op) }
}

is_a("mechanism", value) if value in {"SCRAM-SHA-256", "SCRAM-SHA-512"}

_acl_fields := {
	"resourceType",
	"resourceName",
	"patternType",
	"principal",
	"host",
	"operation",
	"permissionType",
}

_quota_op(op) if {
	is_string(op.key)
	is_number(op.value)
}

_quota_op(op) if {
	is_string(op.key)
	op.remove == true
}
