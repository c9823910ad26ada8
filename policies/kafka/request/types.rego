package kafka.request

# METADATA
# description: What a field of each type must be, in the words of an error message.
words := {
	"string": "a string",
	"boolean": "true or false",
	"number": "a number",
	"array": "a list",
	"object": "an object",
	"name": "a non-empty string",
	"user": "a non-empty string",
	"integer": "an integer",
	"time": "a time in RFC 3339, as in \"2026-11-21T10:00:00Z\"",
	"principal": "an object {\"type\": \"User\", \"name\": \"alice\"}",
	"api": $"an object \{\"key\": \"CreateTopics\", \"version\": 7}, its key one of {concat(", ", _apis)}",
	"configs": "an object of config names to strings or null",
	"labels": "an object of label names to strings",
	"assignments": "an object of partition numbers to lists of broker ids, as in {\"0\": [1, 2]}",
	"replicaLists": "a list of lists of broker ids, as in [[1, 2], [2, 3]]",
	"reassignments": "an object of partition numbers to lists of broker ids or null, as in {\"0\": [4, 5], \"1\": null}",
	"offsets": "an object of partition numbers to offsets, -1 for the high watermark, as in {\"0\": 1234}",
	"resource": "an object {\"type\": \"group\", \"name\": \"g\"}, its type group, client-metrics or broker-logger",
	"acl": $"an object with {concat(", ", _acl_fields)}, each a string",
	"aclFilter": $"an object with some of {concat(", ", _acl_fields)}, each a string or null",
	"quotaEntity": "an object with some of user, clientId and ip, each a string or null (the default entity)",
	"quotaOps": "a list of {\"key\": …, \"value\": number} or {\"key\": …, \"remove\": true}",
	"clientEntity": "an object with user and clientId, each a string or null (the default entity)",
	"clientOps": "a list of {\"key\": …, \"value\": …} or {\"key\": …, \"remove\": true}",
	"clientComponents": "a list of {\"entityType\": \"user\", \"matchType\": \"exact\", \"match\": \"alice\"}",
	"strings": "a list of strings",
	"mechanism": "SCRAM-SHA-256 or SCRAM-SHA-512",
	"change": concat(" ", [
		"a config change: {\"mode\": \"incremental\", \"ops\": […]}, {\"mode\": \"full\", \"entries\": {…}} or",
		"{\"mode\": \"resolved\", \"before\": {…}, \"after\": {…}}",
	]),
}

# METADATA
# description: Whether `value`, of the right JSON type, is what a row of `inside` in fields.rego says.
# scope: document
is_a("name", value) if value != ""

is_a("user", value) if value != ""

is_a("integer", value) if value == floor(value)

is_a("time", value) if is_number(time.parse_rfc3339_ns(value))

is_a("principal", value) if {
	is_string(value.type)
	is_string(value.name)
}

is_a("api", {"key": key, "version": version}) if {
	key in _apis
	_integer(version)
	version >= 0
}

is_a("configs", value) if _string_map(value, {"string", "null"})

is_a("labels", value) if _string_map(value, {"string"})

is_a("assignments", value) if {
	is_object(value)
	every partition, replicas in value {
		_partition(partition)
		_replicas(replicas)
	}
}

is_a("replicaLists", value) if {
	is_array(value)
	every replicas in value { _replicas(replicas) }
}

is_a("reassignments", value) if {
	is_object(value)
	every partition, replicas in value {
		_partition(partition)
		_replicas_or_null(replicas)
	}
}

is_a("change", value) if {
	value.mode == "incremental"
	every op in value.ops { _config_op(op) }
}

is_a("change", {"mode": "full", "entries": entries}) if _string_map(entries, {"string", "null"})

is_a("change", {"mode": "resolved", "before": before, "after": after}) if {
	_string_map(before, {"string"})
	_string_map(after, {"string"})
}

# The requests of Kafka's protocol that are asked about, as their message definitions name them; the two about client
# configs are KIP-649's.
_apis := [
	"AlterClientConfigs", "AlterClientQuotas", "AlterConfigs", "AlterPartitionReassignments",
	"AlterUserScramCredentials", "CreateAcls", "CreatePartitions", "CreateTopics", "DeleteAcls", "DeleteRecords",
	"DeleteTopics", "DescribeClientConfigs", "IncrementalAlterConfigs",
]

_integer(value) if {
	is_number(value)
	value == floor(value)
}

_string_map(value, types) if {
	is_object(value)
	{type_name(text) | some text in value} - types == set()
}

_partition(text) if regex.match(`^[0-9]+$`, text)

_replicas(value) if {
	is_array(value)
	every broker in value { _integer(broker) }
}

_replicas_or_null(null)

_replicas_or_null(value) if _replicas(value)

_config_op(op) if {
	is_string(op.name)
	op.op in {"SET", "DELETE", "APPEND", "SUBTRACT"}
	type_name(object.get(op, "value", null)) in {"string", "null"}
}
