package kafka.client_configs

import data.kafka.base.errors

# METADATA
# description: What `ops` make of an entity's configs, each value in the form in which it is stored.
configs_after(before, ops) := object.union(
	object.remove(before, {op.key | some op in ops}),
	{key: values[0] |
		some key in {op.key | some op in ops; _has_value(op)}
		values := [stored_form(key, op.value) | some op in ops; op.key == key; _has_value(op)]
	},
)

_has_value(op) if {
	not op.remove
	is_string(op.value)
}

# METADATA
# description: Kafka's refusals of an entity; each names the part that is wrong.
entity_refusals(entity) := {errors.new("INVALID_REQUEST", message) | some message in _entity_problems(entity)}

_entity_problems(entity) := union({
	{message |
		some type in (object.keys(entity) - _entity_fields)
		message := $"Unknown entity type {type}: use {concat(", ", sort(_entity_fields))}"
	},
	{"The entity has no user: client configs belong to a user, or to a client-id of a user" |
		not "user" in object.keys(entity)
	},
	{message |
		some type, name in entity
		name == ""
		message := $"Empty {type} not supported"
	},
	{message |
		some type, name in entity
		name == data.catalog.clients.defaultEntity
		message := $"The {type} {name} is reserved: give null for the default entity"
	},
})

_entity_fields := {field | some field in data.catalog.clients.entityTypes}

# METADATA
# description: Kafka's refusals of the ops of an alteration; each names its key.
op_refusals(ops) := {errors.new("INVALID_REQUEST", message) | some message in _op_problems(ops)}

_op_problems(ops) := union({
	{key_problem(op.key) | some op in ops},
	{$"Duplicate client config {op.key} in one request" |
		some i, op in ops
		some earlier in array.slice(ops, 0, i)
		earlier.key == op.key
	},
	{$"{op.key}: neither a value nor \"remove\": true" |
		some op in ops
		not object.get(op, "remove", false)
		not is_string(object.get(op, "value", null))
	},
	{value_problem(op.key, op.value) |
		some op in ops
		_has_value(op)
		not key_problem(op.key)
	},
})

# Where the state has an entity: by user, then by client-id; "" is not a client-id.
_state_keys(entity) := [_state_key(entity.user), _state_key(object.get(entity, "clientId", ""))]

_state_key(null) := data.catalog.clients.defaultEntity

_state_key(name) := name if name != null
