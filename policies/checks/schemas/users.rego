package checks.schemas

# METADATA
# description: The parts of a cluster's state about who uses it.
_usage_fields := {
	"groups": _with_description(_map(_group), "Consumer groups by name."),
	"consumers": _with_description(_map(_map(_consumer)), "`groups` by topic, then by group."),
	"writes": _with_description(
		_map({"type": ["string", "null"]}),
		"Time of each topic's latest record, null where there is none.",
	),
	"acls": _with_description(_map({"type": "array", "items": _acl}), "Bindings by principal."),
	"users": _with_description(_map({"type": "object"}), "Principals of type User that can log in."),
	"quotas": _with_description(_map(_map({"type": "number"})), "Quotas by entity, such as user=alice,client-id=app."),
	"clientConfigs": _with_description(_map(_map(_map({"type": ["string", "object"]}))), "By user, then by client-id."),
	"staticClientConfigs": _with_description(
		_map(_map(_open_object({kind: _configs | some kind in ["producer", "consumer"]}, []))),
		"What applications' own files say, by user and client-id.",
	),
}

_acl := _open_object(
	{field: _text | some field in _acl_fields},
	_acl_fields,
)

_acl_fields := [
	"resourceType", "resourceName", "patternType", "principal", "host", "operation", "permissionType",
]

_offsets := _map({"type": ["integer", "null"]})

_group := _open_object({"members": _count, "offsets": _map(_offsets)}, [])

_consumer := _open_object({"members": _count, "offsets": _offsets}, [])
