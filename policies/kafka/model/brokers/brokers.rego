# METADATA
# title: Brokers
# description: |
#   The states of a broker that rules compare (KIP-201's BrokerManagementPolicy): when it starts, when its dynamic
#   configs are altered, and as it stands. The broker "" is the cluster-wide default.
# scope: subpackages
package kafka.model.brokers

import data.kafka.cluster
import data.kafka.configs
import data.kafka.model.learnt

# METADATA
# description: What rules see as `input` for a document about a broker; undefined where its state cannot be read.
prepared(document, shared) := object.union(document, {
	"hasBefore": document.operation == "AlterBroker",
	"now": shared.now,
	"params": shared.params,
	"broker": document.request.broker,
	"labels": {},
	"current": states.current,
	"requested": {
		"configs": states.after,
		"values": _typed_values(document, states.after),
		"requestedConfigs": states.change.explicit,
	},
	"effective": {"values": learnt.typed(
		document, "broker", states.after,
		_effective_values(document.operation, document, states.after),
	)},
	"change": states.change,
}) if {
	states := _config_states(document.operation, document)
}

# A starting broker has nothing before it: its configuration is whole, as its file has it.
_config_states("StartBroker", document) := {"current": null, "change": change, "after": change.after} if {
	change := configs.resolved("broker", {}, {"mode": "full", "entries": document.request.configs})
}

_config_states("AlterBroker", document) := {"current": _state(document, before), "change": change, "after": after} if {
	before := stored(document)
	change := resolved_change(document)
	after := _configs_after(document, before, change)
}

_config_states("AuditBroker", document) := {"current": _state(document, before), "change": change, "after": before} if {
	before := stored(document)
	change := {"before": before, "after": before, "explicit": {}, "implicitlyDeleted": []}
}

_state(document, overrides) := {"configs": overrides, "values": _typed_values(document, overrides)}

_typed_values(document, overrides) := learnt.typed(document, "broker", overrides, configs.values("broker", overrides))

# METADATA
# description: The configs of the document's broker as its cluster has them; undefined where there is no such broker.
# scope: document
stored(document) := object.get(cluster.part(document, "brokers"), ["", "configs"], {}) if document.request.broker == ""

stored(document) := cluster.part(document, "brokers")[document.request.broker].configs if document.request.broker != ""

# What other brokers share is not known of one that only starts: its own file and Kafka's defaults are all there is.
_effective_values("StartBroker", _, overrides) := object.union(
	data.catalog.broker.defaults.values,
	configs.values("broker", overrides),
)

_effective_values("AlterBroker", document, overrides) := configs.effective("broker", document, overrides)

_effective_values("AuditBroker", document, overrides) := configs.effective("broker", document, overrides)
