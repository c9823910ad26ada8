# METADATA
# title: Other resources with configs
# description: |
#   Groups and client metrics, whose configs can be altered as those of topics can, and a broker's loggers, whose levels
#   are altered in the same way.
# scope: subpackages
package kafka.model.resources

import data.kafka.cluster
import data.kafka.configs
import data.kafka.model.learnt

# METADATA
# description: |
#   What rules see as `input` for a document about a group, a client metrics subscription or a broker's loggers.
prepared(document, shared) := object.union(document, {
	"now": shared.now,
	"params": shared.params,
	"resource": document.request.resource,
	"labels": {},
	"current": {"configs": change.before, "values": _typed_values(document, kind, change.before)},
	"requested": {
		"configs": change.after,
		"values": _typed_values(document, kind, change.after),
		"requestedConfigs": change.explicit,
	},
	"effective": {"values": learnt.typed(
		document, kind, change.after,
		configs.effective(kind, document, change.after),
	)},
	"change": change,
	"hasBefore": true,
}) if {
	kind := _resource_kind(document)
	change := configs.resolved(kind, _configs_before(kind, document), document.request.configs)
}

_typed_values(document, kind, overrides) := learnt.typed(document, kind, overrides, configs.values(kind, overrides))

# METADATA
# description: Kafka's own refusals of such a change.
refusals(document) := _missing_broker_errors(document) | _logger_refusals(name, document.request.configs) if {
	_resource_kind(document) == "brokerLogger"
	name := document.request.resource.name
} else := found if {
	kind := _resource_kind(document)
	change := document.request.configs
	before := _configs_before(kind, document)
	found := _config_refusals(kind, document, before, configs.after(kind, before, change))
}

_resource_kind(document) := configs.kinds[document.request.resource.type]

# Of what has no configs there are none before. Where the state has no such part, and of loggers, whose levels are in no
# state, what was before is what a change says, or nothing.
_configs_before(kind, document) := cluster.part(document, "resourceConfigs")[type][name] if {
	kind != "brokerLogger"
	type := document.request.resource.type
	name := document.request.resource.name
} else := {} if {
	_resource_kind(document) != "brokerLogger"
	cluster.part(document, "resourceConfigs")
} else := object.get(document.request.configs, "before", {})
