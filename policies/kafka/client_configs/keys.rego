package kafka.client_configs

import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   The client configs among what an entity has, each in the form in which it is stored: whoever wrote the state may
#   have left another. Quotas of the same entity are none of them, nor are keys that the catalogue lacks. What is no
#   string is its JSON, so that it is not passed over.
only_configs(values) := {key: stored_form(key, lists.string_form(value)) |
	some key, value in values
	data.catalog.clients.configs[key].kind == "client"
} if {
	is_object(values)
}

# METADATA
# description: The form in which a value is stored; the value must have no problem.
stored_form(key, text) := object.get(object.get(data.catalog.clients.configs[key], "stored", {}), trimmed, trimmed) if {
	trimmed := lists.trimmed(text)
}

# METADATA
# description: A value as its type has it, numbers as numbers; undefined where it cannot be read.
typed(key, text) := configs.value_of_type(data.catalog.clients.configs[key].type, text)

# METADATA
# description: Why `key` cannot be a client config; undefined where it is one.
key_problem(key) := $"Unknown client config {key}: use one of {concat(", ", sort(_client_config_keys))}" if {
	not data.catalog.clients.configs[key]
} else := $"{key} is a quota, not a client config: alter it as a client quota" if {
	data.catalog.clients.configs[key].kind == "quota"
}

# METADATA
# description: |
#   What is wrong with the value of a client config, in the words of Kafka's ConfigDef; undefined where nothing is.
value_problem(key, text) := configs.fault_of(data.catalog.clients.configs[key], key, text)

_client_config_keys contains key if {
	some key, row in data.catalog.clients.configs
	row.kind == "client"
}
