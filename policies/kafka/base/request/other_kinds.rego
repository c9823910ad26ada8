package kafka.base.request

# METADATA
# description: Kinds of what decision inputs carry besides topics, as `kinds`.
# scope: rule
_other_field_kinds := {
	"principal": {
		"words": "an object {\"type\": \"User\", \"name\": \"alice\"}",
		"schema": _closed_object_schema({name: {"type": type} | some name, type in _principal_field_types}, {"type", "name"}),
	},
	"api": {
		"words": $"an object \{\"key\": \"CreateTopics\", \"version\": 7}, its key one of {concat(", ", _api_keys)}",
		"schema": _closed_object_schema(
			{"key": {"enum": _api_keys}, "version": {"type": "integer", "minimum": 0}},
			{"key", "version"},
		),
	},
	"resource": {
		"words": "an object {\"type\": \"group\", \"name\": \"g\"}, its type group, client-metrics or broker-logger",
		"schema": _closed_object_schema(
			{"type": {"enum": ["broker-logger", "client-metrics", "group"]}, "name": {"type": "string"}},
			{"type", "name"},
		),
	},
	"acl": {
		"words": $"an object with {concat(", ", _acl_fields)}, each a string",
		"schema": _closed_object_schema({field: {"type": "string"} | some field in _acl_fields}, _acl_fields),
	},
	"aclFilter": {
		"words": $"an object with some of {concat(", ", _acl_fields)}, each a string or null",
		"schema": _closed_object_schema({field: {"type": ["string", "null"]} | some field in _acl_fields}, set()),
	},
	"quotaEntity": {
		"words": "an object with some of user, clientId and ip, each a string or null (the default entity)",
		"schema": _closed_object_schema({field: {"type": ["string", "null"]} | some field in _quota_entity_fields}, set()),
	},
	"quotaOps": {
		"words": "a list of {\"key\": …, \"value\": number} or {\"key\": …, \"remove\": true}",
		"schema": {"type": "array", "items": {"oneOf": [
			_closed_object_schema(
				{"key": {"type": "string"}, "value": {"type": "number"}, "remove": {"const": false}},
				{"key", "value"},
			),
			_closed_object_schema({"key": {"type": "string"}, "remove": {"const": true}}, {"key", "remove"}),
		]}},
	},
	"clientEntity": {
		"words": "an object with user and clientId, each a string or null (the default entity)",
		"schema": _map_schema({"type": ["string", "null"]}),
	},
	"clientOps": {
		"words": "a list of {\"key\": …, \"value\": …} or {\"key\": …, \"remove\": true}",
		"schema": {"type": "array", "items": _closed_object_schema(
			{"key": {"type": "string"}, "value": {"type": ["string", "null"]}, "remove": {"type": "boolean"}},
			{"key"},
		)},
	},
	"clientComponents": {
		"words": "a list of {\"entityType\": \"user\", \"matchType\": \"exact\", \"match\": \"alice\"}",
		"schema": {"type": "array", "items": _closed_object_schema(
			{
				"entityType": {"type": "string"},
				"matchType": {"type": ["string", "number"]},
				"match": {"type": ["string", "null"]},
			},
			{"entityType", "matchType"},
		)},
	},
	"pointers": {
		"words": "a list of JSON pointers into the request or the cluster's state, as in [\"/request/configs/retention.ms\"]",
		"schema": {"type": "array", "items": {"type": "string", "pattern": _pointer_pattern}},
	},
	"amounts": {
		"words": "an object of JSON pointers into the cluster's state to numbers, as in {\"/totals/replicas\": 12}",
		"schema": {
			"type": "object",
			"patternProperties": {"^/.": {"type": "number", "minimum": 0}},
			"additionalProperties": false,
		},
	},
	"featureUpdates": {
		"words": "a list of {\"feature\": …, \"maxVersionLevel\": integer, \"upgradeType\": …}",
		"schema": {"type": "array", "items": _closed_object_schema(
			{
				"feature": {"type": "string"},
				"maxVersionLevel": {"type": "integer"},
				"upgradeType": {"enum": _upgrade_types},
			},
			{"feature", "maxVersionLevel", "upgradeType"},
		)},
	},
	"electionType": {"words": "PREFERRED or UNCLEAN", "schema": {"enum": _election_types}},
	"topicPartitions": {
		"words": "a list of {\"topic\": …, \"partitions\": [0]}",
		"schema": {"type": "array", "items": _closed_object_schema(
			{"topic": {"type": "string"}, "partitions": {"type": "array", "items": {"type": "integer"}}},
			{"topic", "partitions"},
		)},
	},
	"offsetPartitions": {
		"words": "a list of {\"topic\": …, \"partitions\": [0]}, where null stands for all of the topic's partitions",
		"schema": {"type": "array", "items": _closed_object_schema(
			{"topic": {"type": "string"}, "partitions": {"type": ["array", "null"], "items": {"type": "integer"}}},
			{"topic", "partitions"},
		)},
	},
	"groupOffsets": {
		"words": "a list of {\"topic\": …, \"partition\": 0, \"offset\": 42}",
		"schema": {"type": "array", "items": _closed_object_schema(
			{"topic": {"type": "string"}, "partition": {"type": "integer"}, "offset": {"type": "integer"}},
			{"topic", "partition", "offset"},
		)},
	},
	"directoryReplicas": {
		"words": "a list of {\"topic\": …, \"partitions\": [0], \"directory\": …}",
		"schema": {"type": "array", "items": _closed_object_schema(
			{
				"topic": {"type": "string"},
				"partitions": {"type": "array", "items": {"type": "integer"}},
				"directory": {"type": "string"},
			},
			{"topic", "partitions", "directory"},
		)},
	},
	"strings": {"words": "a list of strings", "schema": {"type": "array", "items": {"type": "string"}}},
}

_pointer_pattern := "^/(request|clusterState)/."
