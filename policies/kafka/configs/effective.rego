package kafka.configs

import data.kafka.cluster

# METADATA
# description: |
#   What is in force on a resource with these overrides, for a topic: override, else the cluster's default, else
#   Kafka's. The same order as org.apache.kafka.metadata.KafkaConfigSchema, whose middle steps the replicator
#   has resolved into the cluster's `defaults`.
# scope: document
effective("topic", document, overrides) := _overlaid_values(topic_defaults(document), "topic", overrides)

effective("group", _, overrides) := _overlaid_values(data.catalog.group.defaults.values, "group", overrides)

effective("clientMetrics", _, overrides) := _overlaid_values(
	data.catalog.clientMetrics.defaults.values,
	"clientMetrics",
	overrides,
)

# Which levels a broker's loggers have besides is not known.
effective("brokerLogger", _, overrides) := overrides

# A broker's own configs lie over those of all brokers of the cluster, which the state has under the name "".
effective("broker", document, overrides) := _overlaid_values(all_brokers, "broker", overrides) if {
	cluster_wide := object.get(cluster.part(document, "brokers"), ["", "configs"], {})
	all_brokers := _overlaid_values(data.catalog.broker.defaults.values, "broker", cluster_wide)
}

_overlaid_values(defaults, kind, overrides) := defaults if {
	overrides == {}
} else := object.union(defaults, values(kind, overrides))

# METADATA
# description: What is in force on a topic without overrides, typed.
topic_defaults(document) := _typed_topic_defaults(document.clusterState.defaults) if {
	document.clusterState.defaults
} else := data.catalog.topic.defaults.values if {
	document.clusterState
	not document.clusterState.defaults
} else := _cluster_topic_defaults(document.cluster) if {
	not document.clusterState
}

_cluster_topic_defaults(name) := _typed_topic_defaults(defaults) if {
	defaults := data.clusters[name].defaults
} else := data.catalog.topic.defaults.values

# Only what differs from Kafka's own defaults is parsed: those stand typed in the catalogue.
_typed_topic_defaults(defaults) := _overlaid_values(data.catalog.topic.defaults.values, "topic", {name: text |
	some name, text in defaults
	data.catalog.topic.types[name]
	text != object.get(data.catalog.topic.defaults.configs, name, null)
})
