package kafka.client_configs

import data.kafka.base.errors

# The filter of a describe: what Kafka, or KIP-649, refuses in it.

# METADATA
# description: Kafka's refusals of a describe; each names the component or field.
describe_refusals(document) := {errors.new("INVALID_REQUEST", message) |
	some message in (_component_problems(document.request.components) | _self_resolution_problems(document))
} | _authorization_refusals(document)

# A client may resolve itself; all else needs DESCRIBE_CONFIGS on the cluster.
_authorization_refusals(document) := set() if {
	_is_self_resolution(document)
} else := unauthorized(document, "DESCRIBE_CONFIGS")

_is_self_resolution(document) if {
	document.request.resolveEntity == true
	document.principal.type == "User"
	some component in document.request.components
	component.entityType == "user"
	_match_type(component) == "exact"
	document.principal.name == component.match
}

_component_problems(components) := union({
	{message |
		some component in components
		not data.catalog.clients.entityTypes[component.entityType]
		message := $"Unknown entity type {json.marshal(component.entityType)}: use {concat(" or ", sort(_entity_types))}"
	},
	{$"Entity type {component.entityType} cannot appear more than once in the filter" |
		some i, component in components
		some earlier in array.slice(components, 0, i)
		earlier.entityType == component.entityType
	},
	{message |
		some component in components
		not _match_type(component)
		unknown := json.marshal(component.matchType)
		message := $"{component.entityType}: unknown match type {unknown}: use exact, default or any"
	},
	{$"{component.entityType}: an exact match needs a string to match" |
		some component in components
		_match_type(component) == "exact"
		not is_string(object.get(component, "match", null))
	},
	{$"{component.entityType}: match type {_match_type(component)} takes no string to match" |
		some component in components
		_match_type(component) in {"default", "any"}
		object.get(component, "match", null) != null
	},
	{"The filter has no user component: client configs belong to a user, or to a client-id of a user" |
		{component | some component in components; component.entityType == "user"} == set()
	},
})

_entity_types := object.keys(data.catalog.clients.entityTypes)

_match_type(component) := data.catalog.clients.matchTypes[$"{component.matchType}"]

_self_resolution_problems(document) := {message |
	document.request.resolveEntity == true
	some component in document.request.components
	not _has_exact_name(component)
	message := $"{component.entityType}: a client that resolves itself gives its own name, with an exact match"
} | {message |
	is_array(document.request.supportedConfigs)
	not _is_self_resolution(document)
	message := "supportedConfigs: only a client that resolves itself (resolveEntity) registers the keys that it supports"
}

_has_exact_name(component) if {
	_match_type(component) == "exact"
	_is_valid_entity_name(component.match)
}
