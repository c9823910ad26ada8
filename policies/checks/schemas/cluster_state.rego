package checks.schemas

# METADATA
# description: |
#   The state of a cluster. Decisions look at what they read of it and refuse nothing else, so that it may hold more;
#   what stands here must be of its type.
_cluster_state_schema := object.union(_open_object(object.union(_cluster_fields, _usage_fields), []), {
	"title": "Cluster state",
	"description": "What is known of a cluster: clusterState of a decision input, and data.clusters[cluster].",
})

_cluster_fields := {
	"clusterSize": _with_description(_count_schema, "Number of brokers."),
	"brokers": _with_description(_map_of(_broker_schema), "By id; \"\" is the dynamic default of all brokers."),
	"catalog": _with_description(_catalog_schema, "What is known of the cluster's Kafka, beside Warden's catalogue."),
	"defaults": _with_description(_configs_schema, "Broker-level settings and topic defaults that are not Kafka's own."),
	"topics": _with_description(_map_of(_topic_schema), "By name."),
	"labelPatterns": _with_description(
		_texts_schema,
		"Regular expressions of whole names of topics, whose named groups are labels.",
	),
	"namesByMetric": _with_description(_map_of(_texts_schema), "Topics by their name in metrics, \".\" written as \"_\"."),
	"totals": _with_description(_totals_schema, "Kept totals, so that no decision counts."),
	"features": _with_description(_map_of({"type": "integer"}), "Levels of finalised features (KIP-584), by name."),
	"deletions": _with_description(_open_object({"lastHour": _count_schema}, []), "Topics deleted in the last hour."),
	"managed": _with_description(_map_of({"type": "boolean"}), "What only the provider of a managed cluster can tell."),
	"resourceConfigs": _with_description(
		_map_of(_map_of(_configs_schema)),
		"Overrides of groups and client metrics, by type and name.",
	),
	"meta": _with_description(_state_meta_schema, "Where the state is from, and how old it is."),
}

_configs_schema := _map_of({"type": ["string", "null"]})

_broker_schema := _open_object(
	{
		"host": _text_schema,
		"rack": {"type": ["string", "null"]},
		"configs": _configs_schema, "dynamicConfigs": _configs_schema, "fallbackConfigs": _configs_schema,
	},
	[],
)

_catalog_schema := _open_object(
	{
		"release": _with_description(_text_schema, "The release of its brokers, such as 4.3; the newest one's."),
		"beside": _with_description(_text_schema, "The release of the catalogue that lacks the keys of `configs`."),
		"configs": _with_description(
			_open_object({kind: _map_of(_config_key_schema) | some kind in ["topic", "broker", "group", "clientMetrics"]}, []),
			"By kind of resource, all keys that the cluster describes and the catalogue lacks.",
		),
	},
	[],
)

_config_key_schema := _open_object(
	{
		"type": {"enum": ["boolean", "string", "int", "short", "long", "double", "list", "class", "password"]},
		"readOnly": {"type": "boolean"},
		"sensitive": {"type": "boolean"},
		"default": _text_schema,
		"synonyms": _texts_schema,
		"documentation": _text_schema,
	},
	["type"],
)

_topic_schema := _open_object(
	{
		"numPartitions": _count_schema,
		"replicationFactor": _count_schema,
		"replicasAssignments": _map_of(_integers_schema),
		"configs": _configs_schema,
		"labels": _map_of(_text_schema),
		"internal": {"type": "boolean"},
		"markedForDeletion": {"type": "boolean"},
		"reassigning": _map_of(_open_object({"adding": _integers_schema, "removing": _integers_schema}, [])),
		"topicId": _text_schema,
	},
	["numPartitions", "replicasAssignments", "labels", "internal"],
)

_integers_schema := {"type": "array", "items": {"type": "integer"}}

_count_fields := {"topics": _count_schema, "partitions": _count_schema}

_owner_totals_schema := _open_object(
	object.union(_count_fields, {"retainedBytes": _count_schema, "unboundedReplicas": _count_schema}),
	[],
)

_totals_schema := _open_object(
	object.union(_count_fields, {
		"replicas": _count_schema,
		"byBroker": _map_of(_count_schema),
		"byOwner": _map_of(_owner_totals_schema),
		"byPrincipal": _map_of(_open_object(_count_fields, [])),
		"labelKeys": _open_object({"byOwner": _text_schema, "byPrincipal": _text_schema}, []),
	}),
	[],
)

_state_meta_schema := _open_object(
	{
		"revision": _text_schema,
		"observedAt": {"type": ["string", "null"]},
		"topics": _count_schema,
		"labels": {"type": "boolean"},
		"source": _text_schema,
	},
	[],
)
