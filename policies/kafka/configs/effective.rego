package kafka.configs

# METADATA
# description: |
#   What is in force on a topic with these overrides: override, else the cluster's default, else Kafka's.
#   The same order as org.apache.kafka.metadata.KafkaConfigSchema, whose middle steps the replicator has resolved
#   into the cluster's `defaults`.
effective(document, overrides) := _effective(_defaults(document), overrides)

_effective(defaults, overrides) := object.union(defaults, values(overrides))

_defaults(document) := _over_catalog(document.clusterState.defaults)

_defaults(document) := _replicated(document.cluster) if not document.clusterState

_defaults(document) := data.catalog.topic.defaults.values if {
	document.clusterState
	not document.clusterState.defaults
}

_replicated(cluster) := _over_catalog(defaults) if {
	defaults := data.clusters[cluster].defaults
} else := data.catalog.topic.defaults.values

# Only what differs from Kafka's own defaults is parsed: those stand typed in the catalogue.
_over_catalog(defaults) := object.union(data.catalog.topic.defaults.values, values({name: text |
	some name, text in defaults
	data.catalog.topic.configs[name]
	text != object.get(data.catalog.topic.defaults.configs, name, null)
}))
