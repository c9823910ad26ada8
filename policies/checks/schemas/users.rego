package checks.schemas

# METADATA
# description: The parts of a cluster's state about who uses it.
_usage_fields := {
	"groups": _with_description(_map_of(_group_schema), "Consumer groups by name."),
	"consumers": _with_description(_map_of(_map_of(_consumer_schema)), "`groups` by topic, then by group."),
	"writes": _with_description(
		_map_of({"type": ["string", "null"]}),
		"Time of each topic's latest record, null where there is none.",
	),
	"acls": _with_description(_map_of({"type": "array", "items": _acl_schema}), "Bindings by principal."),
	"users": _with_description(_map_of({"type": "object"}), "Principals of type User that can log in."),
	"quotas": _with_description(
		_map_of(_map_of({"type": "number"})),
		"Quotas by entity, such as user=alice,client-id=app.",
	),
	"clientConfigs": _with_description(
		_map_of(_map_of(_map_of({"type": ["string", "object"]}))),
		"By user, then by client-id.",
	),
	"staticClientConfigs": _with_description(
		_map_of(_map_of(_open_object({kind: _configs_schema | some kind in ["producer", "consumer"]}, []))),
		"What applications' own files say, by user and client-id.",
	),
}

_acl_schema := _open_object({field: _text_schema | some field in _acl_field_names}, _acl_field_names)

_acl_field_names := ["resourceType", "resourceName", "patternType", "principal", "host", "operation", "permissionType"]

_offsets_schema := _map_of({"type": ["integer", "null"]})

_group_schema := _open_object({"members": _count_schema, "offsets": _map_of(_offsets_schema)}, [])

_consumer_schema := _open_object({"members": _count_schema, "offsets": _offsets_schema}, [])
