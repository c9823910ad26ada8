package kafka.rules.clients

import data.kafka.client_configs
import data.kafka.cluster

# METADATA
# description: The heartbeat that a client discards, both keys of it, as it is not below the session timeout.
_discarded_heartbeat(values) := {"key": "heartbeat.interval.ms", "value": heartbeat, "limit": session} if {
	heartbeat := _value_or_default(values, "heartbeat.interval.ms")
	session := _value_or_default(values, "session.timeout.ms")
	heartbeat >= session
}

_value_or_default(values, key) := object.get(values, key, to_number(data.catalog.clients.configs[key].default))

# What is in force for the clients under a user that is altered, where one of the two comes from the client and the
# other does not.
_values_by_client_id[client_id] := values if {
	input.operation == "AlterClientConfigs"
	object.keys(input.entity) == {"user"}
	some client_id, stored in cluster.part(input, "clientConfigs")[input.entity.user]
	not client_id in {"", data.catalog.clients.defaultEntity}
	own := client_configs.only_configs(stored)
	count(object.keys(own) & {"heartbeat.interval.ms", "session.timeout.ms"}) == 1
	values := {key: value |
		some key, text in object.union(input.requested.configs, own)
		value := client_configs.typed(key, text)
	}
}
