package kafka.base.request

# METADATA
# description: Types of what requests about brokers, groups, ACLs, quotas and credentials carry.
# scope: rule
is_a("offsets", value) if {
	is_object(value)
	every partition, offset in value {
		_is_partition_number(partition)
		_is_integer(offset)
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
	object.keys(value) - _quota_entity_fields == set()
	every name in value { type_name(name) in {"string", "null"} }
}

is_a("quotaOps", value) if {
	every op in value { _is_quota_op(op) }
}

_quota_entity_fields := {"user", "clientId", "ip"}

_acl_fields := {
	"resourceType",
	"resourceName",
	"patternType",
	"principal",
	"host",
	"operation",
	"permissionType",
}

_is_quota_op({"key": key, "value": value}) if {
	is_string(key)
	is_number(value)
}

_is_quota_op({"key": key, "remove": true}) if is_string(key)

# The form of Kafka's protocol, which always says whether the quota goes; a value beside one that goes means nothing.
_is_quota_op({"key": key, "value": value, "remove": false}) if {
	is_string(key)
	is_number(value)
}
