package kafka.client_configs

# Filters of entities with the semantics of Kafka's client quotas (org.apache.kafka.image.ClientQuotasImage, 4.3): each
# component must match; `strict` leaves out entities that have a part which no component names; "any" takes the default
# entity too.

# METADATA
# description: |
#   What a describe returns: each entity that matches with its values and its clients' registrations, in the order of
#   the names; or for a client that resolves itself one entity with the values in force and where they come from.
described(document, stored) := [_resolved_entry(document, stored)] if {
	document.request.resolveEntity == true
} else := [entry |
	some user in sort(_matching_users(stored, filter.user))
	some client in sort(_matching_clients(object.get(stored, user, {}), filter, is_strict))
	entry := _described_entry(_entity_from_keys(user, client), entity_configs(stored, user, client))
	[entry.values, entry.supportedConfigs] != [{}, {}]
] if {
	filter := {component.entityType: component | some component in document.request.components}
	is_strict := object.get(document.request, "strict", false)
}

_described_entry(entity, stored_configs) := {
	"entity": entity,
	"values": only_configs(stored_configs),
	"supportedConfigs": _supported_configs(stored_configs),
}

_supported_configs(stored_configs) := object.get(stored_configs, "supported.configs", {})

# The parts of the state that a component matches. An exact match is looked up, whatever else is there.
_matching_users(stored, component) := _names_matching_component(stored, component) - {""}

_matching_clients(of_user, filter, _) := _names_matching_component(of_user, filter["client-id"]) - {""}

_matching_clients(of_user, filter, false) := object.keys(of_user) if not filter["client-id"]

_matching_clients(_, filter, true) := {""} if not filter["client-id"]

_names_matching_component(parts, component) := _matching_names(_match_type(component), parts, component)

_matching_names("exact", parts, component) := {component.match |
	parts[component.match]
	component.match != data.catalog.clients.defaultEntity
}

_matching_names("default", parts, _) := {data.catalog.clients.defaultEntity | parts[data.catalog.clients.defaultEntity]}

_matching_names("any", parts, _) := object.keys(parts)

_entity_from_keys(user, client) := object.union({"user": _name_or_null(user)}, _client_id_field(client))

_client_id_field("") := {}

_client_id_field(client) := {"clientId": _name_or_null(client)} if client != ""

_name_or_null(name) := null if name == data.catalog.clients.defaultEntity

_name_or_null(name) := name if name != data.catalog.clients.defaultEntity

# A client that resolves itself.
_resolving_entity(request) := {field: names[0] |
	some type, field in data.catalog.clients.entityTypes
	names := [component.match | some component in request.components; component.entityType == type]
} if {
	request.resolveEntity == true
} else := {}

_resolved_entry(document, stored) := object.union(
	_registration_field(document.request, entity),
	{
		"entity": entity,
		"values": in_force.configs,
		"sources": in_force.sources,
		"supportedConfigs": _supported_configs(entity_configs(stored, entity.user, object.get(entity, "clientId", ""))),
	},
) if {
	entity := _resolving_entity(document.request)
	in_force := resolved(stored, entity.user, object.get(entity, "clientId", null))
}

# What the caller stores of a client that says which keys it supports; it replaces what the same software said before.
_registration_field(request, entity) := {"registration": {
	"entity": entity,
	"softwareName": object.get(request, "softwareName", "unknown"),
	"softwareVersion": object.get(request, "softwareVersion", "unknown"),
	"supportedConfigs": sort({key | some key in request.supportedConfigs}),
}} if {
	is_array(request.supportedConfigs)
} else := {}
