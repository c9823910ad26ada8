package kafka.model.brokers

import data.kafka.cluster
import data.kafka.configs

# METADATA
# description: |
#   What a request to alter a broker makes of its own dynamic configs. Controllers know no others: APPEND and SUBTRACT
#   start from those or from Kafka's default, and a full replacement leaves alone what stands in the broker's file
#   (ConfigurationControlManager, 4.3). Undefined where there is no such broker.
resolved_change(document) := configs.resolved("broker", _dynamic_configs_before(document), document.request.configs)

# Where the state does not tell which of a broker's configs are dynamic, a change that says what was before may.
_dynamic_configs_before(document) := document.request.configs.before if {
	stored(document)
	document.request.configs.mode == "resolved"
	not _has_known_dynamic_configs(document)
} else := _dynamic_configs(document)

_has_known_dynamic_configs(document) if document.request.broker == ""

_has_known_dynamic_configs(document) if cluster.part(document, "brokers")[document.request.broker].dynamicConfigs

# Where the state does not tell which of a broker's configs are dynamic, all of them are taken to be; those of the
# cluster-wide default all are.
_dynamic_configs(document) := configs if {
	configs := cluster.part(document, "brokers")[document.request.broker].dynamicConfigs
} else := stored(document)

# METADATA
# description: |
#   What is set of the broker once a change to its own dynamic configs is done, over `before`: what the change leaves of
#   those, what comes to light under those that it removes, and what it does not reach.
_configs_after(document, before, change) := object.union_n([
	object.remove(before, _dynamic_configs(document)),
	object.get(cluster.part(document, "brokers"), [document.request.broker, "fallbackConfigs"], {}),
	change.after,
])
