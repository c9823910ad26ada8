package checks.schemas

# METADATA
# description: |
#   The state of a cluster. Decisions look at what they read of it and refuse nothing else, so that it may hold more;
#   what stands here must be of its type.
_cluster_state := object.union(_open(object.union(_cluster_fields, _usage_fields), []), {
	"title": "Cluster state",
	"description": "What is known of a cluster: clusterState of a decision input, and data.clusters[cluster].",
})

_cluster_fields := {
	"clusterSize": _described(_count, "Number of brokers."),
	"brokers": _described(_map(_broker), "By id; \"\" is the dynamic default of all brokers."),
	"catalog": _described(_catalog, "What is known of the cluster's Kafka, beside Warden's catalogue."),
	"defaults": _described(_configs, "Broker-level settings and topic defaults that are not Kafka's own."),
	"topics": _described(_map(_topic), "By name."),
	"labelPatterns": _described(_texts, "Regular expressions of whole names of topics, whose named groups are labels."),
	"namesByMetric": _described(_map(_texts), "Topics by their name in metrics, \".\" written as \"_\"."),
	"totals": _described(_totals, "Kept totals, so that no decision counts."),
	"features": _described(_map({"type": "integer"}), "Levels of finalised features (KIP-584), by name."),
	"deletions": _described(_open({"lastHour": _count}, []), "Topics deleted in the last hour."),
	"managed": _described(_map({"type": "boolean"}), "What only the provider of a managed cluster can tell."),
	"resourceConfigs": _described(_map(_map(_configs)), "Overrides of groups and client metrics, by type and name."),
	"meta": _described(_meta, "Where the state is from, and how old it is."),
}

_configs := _map({"type": ["string", "null"]})

_broker := _open(
	{
		"host": _text,
		"rack": {"type": ["string", "null"]},
		"configs": _configs,
		"dynamicConfigs": _configs,
		"fallbackConfigs": _configs,
	},
	[],
)

_catalog := _open(
	{
		"release": _described(_text, "The release of its brokers, such as 4.3; the newest one's."),
		"beside": _described(_text, "The release of the catalogue that lacks the keys of `configs`."),
		"configs": _described(
			_open({kind: _map(_key) | some kind in ["topic", "broker", "group", "clientMetrics"]}, []),
			"By kind of resource, all keys that the cluster describes and the catalogue lacks.",
		),
	},
	[],
)

_key := _open(
	{
		"type": {"enum": ["boolean", "string", "int", "short", "long", "double", "list", "class", "password"]},
		"readOnly": {"type": "boolean"},
		"sensitive": {"type": "boolean"},
		"default": _text,
		"synonyms": _texts,
		"documentation": _text,
	},
	["type"],
)

_topic := _open(
	{
		"numPartitions": _count,
		"replicationFactor": _count,
		"replicasAssignments": _map(_integers),
		"configs": _configs,
		"labels": _map(_text),
		"internal": {"type": "boolean"},
		"markedForDeletion": {"type": "boolean"},
		"reassigning": _map(_open({"adding": _integers, "removing": _integers}, [])),
		"topicId": _text,
	},
	["numPartitions", "replicasAssignments", "labels", "internal"],
)

_integers := {"type": "array", "items": {"type": "integer"}}

_counts := {"topics": _count, "partitions": _count}

_owner_totals := _open(object.union(_counts, {"retainedBytes": _count, "unboundedReplicas": _count}), [])

_totals := _open(
	object.union(_counts, {
		"replicas": _count,
		"byBroker": _map(_count),
		"byOwner": _map(_owner_totals),
		"byPrincipal": _map(_open(_counts, [])),
	}),
	[],
)

_meta := _open(
	{
		"revision": _text,
		"observedAt": {"type": ["string", "null"]},
		"topics": _count,
		"labels": {"type": "boolean"},
		"source": _text,
	},
	[],
)
