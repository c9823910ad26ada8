package kafka.brokers

import data.kafka.cluster
import data.kafka.configs
import data.kafka.errors

# METADATA
# description: |
#   What DynamicBrokerConfig.validateConfigs refuses of a broker's own configs as a change leaves them, by their names
#   and each by itself; `broker` is "" for those of all brokers.
_badly_named(broker, then) := refused if {
	refused := _not_dynamic(then) | _without_listener(then)
	refused != set()
} else := refused if {
	refused := {errors.new("INVALID_REQUEST", message) | some message in _badly_typed(then)}
	refused != set()
} else := _not_for_all(broker, then)

# Where the state does not tell which of a broker's configs are dynamic, only what the change sets is known to be. What
# config providers are is read before all else, and then left out.
_set_then(document) := {name: text |
	some name, text in _then(document)
	text != null
	not startswith(name, "config.providers")
}

_then(document) := altered(document).after if {
	_dynamic_known(document)
} else := altered(document).explicit

_dynamic_known(document) if document.request.broker == ""

_dynamic_known(document) if cluster.part(document, "brokers")[document.request.broker].dynamicConfigs

_not_dynamic(then) := _listed(
	"Cannot update these configs dynamically",
	[name | some name, _ in then; data.catalog.broker.configs[name].dynamic == "read-only"],
)

_without_listener(then) := _listed(
	"These security configs can be dynamically updated only per-listener using the listener prefix",
	[name | some name, _ in then; data.catalog.broker.configs[name].onlyPerListener],
)

_not_for_all(broker, then) := _listed(
	"Cannot update these configs at default cluster level, broker id must be specified",
	[name | some name, _ in then; broker == ""; _one_brokers(name)],
)

_one_brokers(name) if data.catalog.broker.configs[name].dynamic == "per-broker"

_one_brokers(name) if {
	base := configs.base_name(name)
	not data.catalog.broker.configs[base].forAllListeners
}

_listed(problem, names) := {errors.new("INVALID_REQUEST", $"{problem}: [{concat(", ", names)}]") | names != []}

# A listener's own are read as those of all listeners; of what is read-only nobody reads them here.
_badly_typed(then) := {refusal.message |
	some name, text in then
	base := _base(name)
	data.catalog.broker.configs[base].dynamic != "read-only"
	some refusal in configs.invalid("broker", {base: text})
}

_base(name) := base if {
	base := configs.base_name(name)
} else := name
