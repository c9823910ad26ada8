package kafka.rules.clients

import data.kafka.cluster
import data.kafka.lists

# METADATA
# description: |
#   What the application says of itself, by producer and consumer; undefined where the cluster's state does not have it.
_static_configs(kind) := cluster.part(input, "staticClientConfigs")[input.entity.user][_client_id][kind]

_client_id := object.get(input.entity, "clientId", "")

# A config of the file, or Kafka's own default where the file is silent; trimmed, as Kafka reads it. What is not a
# string is its JSON, so that it is not passed over.
_static_config_or_default(kind, key) := lists.trimmed(lists.string_form(value)) if {
	value := object.get(_static_configs(kind), key, data.catalog.clients.unset[kind][key])
}

# Who the configs are of, in words.
_entity_text := concat(", ", [$"{field} {name}" |
	some field in ["user", "clientId"]
	name := input.entity[field]
])

# What no client reads, as its name is none that a client has; undefined for all that clients read.
_default_entity_text := "the default user" if {
	input.entity.user == null
} else := "the default client-id" if {
	input.entity.clientId == null
}
