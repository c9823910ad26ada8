package kafka.model.quotas

import data.kafka.base.errors

# METADATA
# description: |
#   What a controller refuses of an alteration of quotas (org.apache.kafka.controller.ClientQuotaControlManager, 4.3),
#   in its order: a key twice, then the entity, then keys and values. It removes whatever key the request names.
refusals(document) := found if {
	found := _duplicate_key_errors(document.request)
	found != set()
} else := found if {
	found := _entity_refusals(document.request.entity)
	found != set()
} else := {errors.new("INVALID_REQUEST", message) |
	rows := data.catalog.quotas.keys[_entity_kind(document.request.entity)]
	some op in document.request.ops
	not op.remove
	message := _op_refusal_message(rows, op)
}

# Kafka's words are those for an entity that stands twice in a request.
_duplicate_key_errors(request) := {errors.new("INVALID_REQUEST", message) |
	some i, op in request.ops
	some j, other in request.ops
	i < j
	op.key == other.key
	entity := request.entity
	names := concat(", ", [$"{_type_by_field[field]}={name}" | some field in _entity_field_order; name := entity[field]])
	message := $"Ignoring duplicate entity ClientQuotaEntity(entries=\{{names}})"
}

# The parts of an entity as Kafka comes upon them.
_entity_field_order := ["clientId", "user", "ip"]

_entity_refusals(entity) := {errors.new("INVALID_REQUEST", "Invalid empty client quota entity")} if {
	entity == {}
} else := {errors.new("INVALID_REQUEST", $"Empty {empty[0]} not supported")} if {
	empty := [_type_by_field[field] | some field in _entity_field_order; entity[field] == ""]
	empty != []
} else := {errors.new("INVALID_REQUEST", message)} if {
	count(entity) > 1
	"ip" in object.keys(entity)
	message := "Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId"
} else := {errors.new("INVALID_REQUEST", message) |
	not can_resolve(entity.ip)
	message := $"{entity.ip} is not a valid IP or resolvable host."
}

_entity_kind(entity) := "ip" if "ip" in object.keys(entity)

_entity_kind(entity) := "client" if not "ip" in object.keys(entity)

_op_refusal_message(rows, op) := $"Invalid configuration key {op.key}" if {
	not rows[op.key]
} else := $"Quota {op.key} must be greater than 0" if {
	op.value <= 0
} else := $"Proposed value for {op.key} is too large for {_phrase_by_type[rows[op.key].type]}." if {
	op.value > rows[op.key].max
} else := $"{op.key} cannot be a fractional value." if {
	rows[op.key].type != "double"
	op.value - floor(op.value) > 0.000001
}

_phrase_by_type := {"short": "a SHORT", "int": "an INT", "long": "a LONG"}
