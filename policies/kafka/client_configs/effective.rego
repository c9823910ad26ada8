package kafka.client_configs

# METADATA
# title: Effective client configs
# description: |
#   What a client that resolves itself gets: its <user, client-id> over its <user>, and where each value comes from.
#   `input` is {"cluster", "user", "clientId"}; what cannot be answered has `errors` that name the field.
# entrypoint: true
default effective := {"configs": {}, "sources": {}, "errors": ["the input is missing: send cluster, user and clientId"]}

effective := {"configs": {}, "sources": {}, "errors": problems} if {
	problems := sort(_effective_input_problems(input))
	problems != []
} else := in_force if {
	in_force := resolved(_known_client_configs(input), input.user, object.get(input, "clientId", null))
} else := {"configs": {}, "sources": {}, "errors": [message]} if {
	is_string(input.user)
	message := $"clusterState: what is stored for user {input.user} cannot be read: replicate it again or send all of it"
}

# METADATA
# description: |
#   The configs in force for a client and their sources, from what a cluster stores. Only these two entities count
#   (KIP-649): default entities are never a client's own. Looked up by key, whatever else is stored.
resolved(stored, user, client_id) := {
	"configs": object.union(general, special),
	"sources": object.union(
		{key: {"user": user} | some key, _ in general},
		{key: {"user": user, "clientId": client_id} | some key, _ in special},
	),
} if {
	general := only_configs(entity_configs(stored, user, ""))
	special := _client_id_configs(stored, user, client_id)
}

# METADATA
# description: All that is stored for an entity, by its keys in the state ("" is not a client-id); {} where nothing is.
entity_configs(stored, user, client) := object.get(object.get(stored, user, {}), client, {})

_client_id_configs(stored, user, client_id) := only_configs(entity_configs(stored, user, client_id)) if {
	_is_valid_entity_name(client_id)
} else := {}

# A name that an entity can have: the state has its own meaning for "" and for the default entity's key.
_is_valid_entity_name(name) if {
	is_string(name)
	not name in {"", data.catalog.clients.defaultEntity}
}

_effective_input_problems(document) := {"the input is not a JSON object: send cluster, user and clientId"} if {
	not is_object(document)
} else := union({
	{message |
		some field in (object.keys(document) - {"cluster", "user", "clientId", "clusterState"})
		message := $"{field}: unknown field: use cluster, user, clientId or clusterState"
	},
	{message |
		some field in ["cluster", "user"]
		not _is_valid_entity_name(object.get(document, field, null))
		message := $"{field}: {_value_text(object.get(document, field, null))} is not a name: give a non-empty string"
	},
	{message |
		not type_name(object.get(document, "clientId", null)) in {"string", "null"}
		message := $"clientId: {json.marshal(document.clientId)} is not a string or null"
	},
	{message |
		is_string(document.cluster)
		not _has_known_client_configs(document)
		cluster := _value_text(document.cluster)
		message := $"cluster: no client configs are known of {cluster}: replicate it or send clusterState"
	},
})

# As JSON, without its escapes of "<" and ">".
_value_text(value) := $"\"{value}\"" if is_string(value)

_value_text(value) := json.marshal(value) if not is_string(value)

_has_known_client_configs(document) if is_object(_known_client_configs(document))

_known_client_configs(document) := document.clusterState.clientConfigs

_known_client_configs(document) := data.clusters[document.cluster].clientConfigs if {
	not document.clusterState
	not data.clusters[document.cluster].meta.loading
}
