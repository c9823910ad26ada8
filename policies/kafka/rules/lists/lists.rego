# METADATA
# title: List-typed configurations
# description: |
#   Values of list-typed configurations that Kafka refuses, or would read otherwise than they stand there (KIP-1161).
package kafka.rules.lists

import data.kafka.lists
import data.kafka.lists.scope

# What is wrong with the lists of a topic or broker. Every topic of a scan comes by here: a single valid string, as most
# values are, needs no more than a look, and there is no function and no set in
# its way. A topic has no keys behind prefixes.
_list_faults contains object.union(fault, {"name": key, "key": key, "row": row, "value": value}) if {
	not input.broker
	some key, value in input.requested.configs
	row := data.catalog.lists.components.topic[key]
	not value in row.validStrings
	some fault in lists.faults(row, key, value)
}

_list_faults contains object.union_n([fault, entry, {"key": key}]) if {
	input.broker
	some key, entry in scope.rows("broker", _requested_configs(input.operation))
	some fault in lists.faults(entry.row, entry.name, entry.value)
}

# A starting broker's file may hold nulls, which the state that it asks for no longer has.
_requested_configs("StartBroker") := input.requested.requestedConfigs

_requested_configs(operation) := input.requested.configs if operation != "StartBroker"

# Whether a request names the value; a broker's file and what is stored were there before.
_is_set_by_request(key) if {
	input.operation in {"CreateTopic", "AlterTopic", "AlterBroker"}
	key in object.keys(input.requested.requestedConfigs)
}
