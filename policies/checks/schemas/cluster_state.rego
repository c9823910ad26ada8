package checks.schemas

# METADATA
# description: |
#   The state of a cluster. Decisions look at what they read of it and refuse nothing else, so that it may hold more;
#   what stands here must be of its type.
_cluster_state := object.union(_open_object(object.union(_cluster_fields, _usage_fields), []), {
	"title": "Cluster state",
	"description": "What is known of a cluster: clusterState of a decision input, and data.clusters[cluster].",
})

_cluster_fields := {
	"clusterSize": _with_description(_count, "Number of brokers."),
	"brokers": _with_description(_map(_broker), "By id; \"\" is the dynamic default of all brokers."),
	"catalog": _with_description(_catalog, "What is known of the cluster's Kafka, beside Warden's catalogue."),
	"defaults": _with_description(_configs, "Broker-level settings and topic defaults that are not Kafka's own."),
	"topics": _with_description(_map(_topic), "By name."),
	"labelPatterns": _with_description(
		_texts,
		"Regular expressions of whole names of topics, whose named groups are labels.",
	),
	"namesByMetric": _with_description(_map(_texts), "Topics by their name in metrics, \".\" written as \"_\"."),
	"totals": _with_description(_totals, "Kept totals, so that no decision counts."),
	"features": _with_description(_map({"type": "integer"}), "Levels of finalised features (KIP-584), by name."),
	"deletions": _with_description(_open_object({"lastHour": _count}, []), "Topics deleted in the last hour."),
	"managed": _with_description(_map({"type": "boolean"}), "What only the provider of a managed cluster can tell."),
	"resourceConfigs": _with_description(
		_map(_map(_configs)),
		"Overrides of groups and client metrics, by type and name.",
	),
	"meta": _with_description(_meta, "Where the state is from, and how old it is."),
}

_configs := _map({"type": ["string", "null"]})

_broker := _open_object(
	{
		"host": _text,
		"rack": {"type": ["string", "null"]},
		"configs": _configs,
		"dynamicConfigs": _configs,
		"fallbackConfigs": _configs,
	},
	[],
)

_catalog := _open_object(
	{
		"release": _with_description(_text, "The release of its brokers, such as 4.3; the newest one's."),
		"beside": _with_description(_text, "The release of the catalogue that lacks the keys of `configs`."),
		"configs": _with_description(
			_open_object({kind: _map(_key) | some kind in ["topic", "broker", "group", "clientMetrics"]}, []),
			"By kind of resource, all keys that the cluster describes and the catalogue lacks.",
		),
	},
	[],
)

_key := _open_object(
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

_topic := _open_object(
	{
		"numPartitions": _count,
		"replicationFactor": _count,
		"replicasAssignments": _map(_integers),
		"configs": _configs,
		"labels": _map(_text),
		"internal": {"type": "boolean"},
		"markedForDeletion": {"type": "boolean"},
		"reassigning": _map(_open_object({"adding": _integers, "removing": _integers}, [])),
		"topicId": _text,
	},
	["numPartitions", "replicasAssignments", "labels", "internal"],
)

_integers := {"type": "array", "items": {"type": "integer"}}

_counts := {"topics": _count, "partitions": _count}

_owner_totals := _open_object(object.union(_counts, {"retainedBytes": _count, "unboundedReplicas": _count}), [])

_totals := _open_object(
	object.union(_counts, {
		"replicas": _count,
		"byBroker": _map(_count),
		"byOwner": _map(_owner_totals),
		"byPrincipal": _map(_open_object(_counts, [])),
	}),
	[],
)

_meta := _open_object(
	{
		"revision": _text,
		"observedAt": {"type": ["string", "null"]},
		"topics": _count,
		"labels": {"type": "boolean"},
		"source": _text,
	},
	[],
)
