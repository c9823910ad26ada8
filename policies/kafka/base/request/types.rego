package kafka.base.request

# METADATA
# description: |
#   Whether `value`, of the right JSON type, is of a kind (kinds.rego), which has the words and the JSON
#   Schema of the same.
# scope: document
is_a("topicName", value) if value != ""

is_a("name", value) if value != ""

is_a("integer", value) if value == floor(value)

is_a("time", value) if is_number(time.parse_rfc3339_ns(value))

is_a("principal", value) if {
	value.type
	value.name
	object.subset(_principal_field_types, {field: type_name(text) | some field, text in value})
}

is_a("api", {"key": key, "version": version}) if {
	key in _api_keys
	_is_integer(version)
	version >= 0
}

is_a("pointers", value) if {
	every pointer in value {
		is_string(pointer)
		regex.match(_pointer_pattern, pointer)
	}
}

is_a("amounts", value) if {
	every pointer, amount in value {
		regex.match(`^/.`, pointer)
		is_number(amount)
		amount >= 0
	}
}

is_a("configs", value) if _is_map_of(value, {"string", "null"})

is_a("labels", value) if _is_map_of(value, {"string"})

is_a("assignments", value) if {
	is_object(value)
	every partition, replicas in value {
		_is_partition_number(partition)
		_is_replica_list(replicas)
	}
}

is_a("replicaLists", value) if {
	is_array(value)
	every replicas in value { _is_replica_list(replicas) }
}

is_a("reassignments", value) if {
	is_object(value)
	every partition, replicas in value {
		_is_partition_number(partition)
		_is_replica_list_or_null(replicas)
	}
}

is_a("change", {"mode": "incremental", "ops": ops}) if {
	is_array(ops)
	every op in ops { _is_config_op(op) }
}

is_a("change", {"mode": "full", "entries": entries}) if _is_map_of(entries, {"string", "null"})

is_a("change", {"mode": "resolved", "before": before, "after": after}) if {
	_is_map_of(before, {"string"})
	_is_map_of(after, {"string", "null"})
}

# The requests of Kafka's protocol that decision inputs can name, as their message definitions have them; the two about
# client configs are KIP-649's. A request for metadata creates topics.
_api_keys := [
	"AddRaftVoter", "AlterClientConfigs", "AlterClientQuotas", "AlterConfigs", "AlterPartitionReassignments",
	"AlterReplicaLogDirs", "AlterShareGroupOffsets", "AlterUserScramCredentials", "CreateAcls", "CreateDelegationToken",
	"CreatePartitions", "CreateTopics", "DeleteAcls", "DeleteGroups", "DeleteRecords", "DeleteShareGroupOffsets",
	"DeleteTopics", "DescribeClientConfigs", "ElectLeaders", "ExpireDelegationToken", "IncrementalAlterConfigs",
	"Metadata", "OffsetCommit", "OffsetDelete", "RemoveRaftVoter", "RenewDelegationToken", "TxnOffsetCommit",
	"UnregisterBroker", "UpdateFeatures",
]

_principal_field_types := {"type": "string", "name": "string", "host": "string"}

_is_integer(value) if {
	is_number(value)
	value == floor(value)
}

_is_map_of(value, types) if {
	is_object(value)
	{type_name(text) | some text in value} - types == set()
}

_is_partition_number(text) if regex.match(`^[0-9]+$`, text)

_is_replica_list(value) if {
	is_array(value)
	every broker in value { _is_integer(broker) }
}

_is_replica_list_or_null(null)

_is_replica_list_or_null(value) if _is_replica_list(value)

_is_config_op({"name": name, "op": op}) if {
	is_string(name)
	op in {"SET", "DELETE", "APPEND", "SUBTRACT"}
}

_is_config_op({"name": name, "op": op, "value": value}) if {
	is_string(name)
	op in {"SET", "DELETE", "APPEND", "SUBTRACT"}
	type_name(value) in {"string", "null"}
}
