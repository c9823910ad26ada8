# METADATA
# title: Other resources with configs
# description: Groups and client metrics, whose configs can be altered as those of topics can.
package kafka.resources

import data.kafka.cluster
import data.kafka.configs

# METADATA
# description: What rules see as `input` for a document about a group or a client metrics subscription.
prepared(document, shared) := object.union(document, {
	"now": shared.now,
	"params": shared.params,
	"resource": document.request.resource,
	"labels": {},
	"current": {"configs": change.before, "values": configs.values(kind, change.before)},
	"requested": {
		"configs": change.after,
		"values": configs.values(kind, change.after),
		"requestedConfigs": change.explicit,
	},
	"effective": {"values": configs.effective(kind, document, change.after)},
	"change": change,
}) if {
	kind := _kind(document)
	change := configs.resolved(kind, _before(kind, document), document.request.configs)
}

# METADATA
# description: Kafka's own refusals of such a change.
refusals(document) := configs.refusals(kind, before, change) if {
	kind := _kind(document)
	change := document.request.configs
	before := _before(kind, document)
}

_kind(document) := configs.kinds[document.request.resource.type]

# The state has a group's configs where the replicator knows them; subscriptions are not part of it.
_before("group", document) := configs if {
	configs := cluster.part(document, "groups")[document.request.resource.name].configs
} else := {}

_before("clientMetrics", _) := {}
