# METADATA
# title: Client configs
# description: |
#   What KIP-649 proposes: configs that a cluster holds for its clients, described, altered, resolved and audited.
#   An entity's configs are looked up by its names, so that the cost does not depend on how many are stored.
# scope: subpackages
package kafka.client_configs

import data.kafka.cluster

# METADATA
# description: |
#   What rules see as `input` for a document about a client entity; undefined where its stored state cannot be read.
#   `entity` is {} for a describe that is not about one client.
prepared(document, shared) := object.union(
	_blank_input(document, shared),
	_operation_fields(document.operation, document),
) if {
	_has_readable_state(document)
}

_has_readable_state(document) if is_object(_stored_client_configs(document))

# Whether it is decided without what its source may not see is the settings' to say.
_has_readable_state(document) if "clientConfigs" in cluster.part(document, "meta").unknown

_blank_input(document, shared) := object.union(document, {
	"now": shared.now,
	"params": shared.params,
	"labels": {},
	"entity": {},
	"current": null,
	"requested": null,
})

_operation_fields("DescribeClientConfigs", document) := {"entity": _resolving_entity(document.request)}

_operation_fields("AlterClientConfigs", document) := object.union(_config_states(document, before, after), {
	"hasBefore": true,
	"change": {
		"before": before,
		"after": after,
		"explicit": {key: value |
			some key in {op.key | some op in document.request.ops}
			value := object.get(after, key, null)
		},
		"implicitlyDeleted": [],
	},
}) if {
	before := only_configs(_stored_entity_configs(document))
	after := configs_after(before, document.request.ops)
}

_operation_fields("AuditClientConfigs", document) := _config_states(document, before, before) if {
	before := only_configs(_stored_entity_configs(document))
}

_config_states(document, before, after) := {
	"entity": document.request.entity,
	"current": {"configs": before, "values": _typed_configs(before)},
	"requested": {"configs": after, "values": _typed_configs(after)},
	"effective": {"configs": in_force, "values": _typed_configs(in_force)},
} if {
	in_force := object.union(_user_configs(document), after)
}

_typed_configs(configs) := {key: value | some key, text in configs; value := typed(key, text)}

# What an entity's own configs lie over: those of its user, where it is one client of a user.
_user_configs(document) := only_configs(entity_configs(stored, document.request.entity.user, "")) if {
	is_string(document.request.entity.user)
	is_string(document.request.entity.clientId)
	stored := _stored_client_configs(document)
} else := {}

# METADATA
# description: Kafka's own refusals of a request about client configs, by operation.
refusals(document) := _operation_refusals(document.operation, document)

_operation_refusals("DescribeClientConfigs", document) := describe_refusals(document)

_operation_refusals("AlterClientConfigs", document) := union({
	unauthorized(document, "ALTER_CONFIGS"),
	entity_refusals(document.request.entity),
	op_refusals(document.request.ops),
})

_operation_refusals("AuditClientConfigs", document) := entity_refusals(document.request.entity)

# METADATA
# description: |
#   A decision about a describe or an alteration with its `entries`: what is described, or what becomes of the
#   one entity. A denied describe shows nothing.
answered(document, decision) := object.union(decision, {"entries": _entries(document.operation, document, decision)})

_entries("DescribeClientConfigs", _, decision) := [] if not decision.allowed

_entries("DescribeClientConfigs", document, decision) := described(document, _stored_client_configs(document)) if {
	decision.allowed
}

_entries("AlterClientConfigs", document, decision) := [{
	"entity": document.request.entity,
	"error": decision.error,
	"values": _resulting_configs(document, decision.allowed),
	"apply": [decision.allowed, object.get(document, "validateOnly", false)] == [true, false],
}]

_resulting_configs(document, true) := configs_after(
	only_configs(_stored_entity_configs(document)),
	document.request.ops,
)

_resulting_configs(document, false) := only_configs(_stored_entity_configs(document))

_stored_entity_configs(document) := entity_configs(_stored_client_configs(document), user, client) if {
	[user, client] := _state_keys(document.request.entity)
} else := {}

_stored_client_configs(document) := cluster.part(document, "clientConfigs")
