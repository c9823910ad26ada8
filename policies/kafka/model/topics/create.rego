package kafka.model.topics

import data.kafka.base.errors
import data.kafka.cluster
import data.kafka.configs
import data.kafka.model.learnt

# METADATA
# description: The topic as a creation would make it, and what Kafka would refuse of it.
prepared("CreateTopic", document, shared) := object.union(document, {
	"now": shared.now,
	"params": shared.params,
	"topic": document.request.topic,
	"labels": object.union(_labels_from_topic_name(document), object.get(document.request, "labels", {})),
	"current": null,
	"requested": {
		"numPartitions": _partition_count(document, assignments),
		"replicationFactor": _replication_factor(document, assignments),
		"replicasAssignments": assignments,
		"generatedReplicaAssignments": assignments == {},
		"configs": overrides,
		"values": values,
		"requestedConfigs": overrides,
		"internal": document.request.topic in data.catalog.topic.internal,
		"markedForDeletion": false,
		"reassigning": {},
	},
	"effective": {"values": object.union(configs.topic_defaults(document), values)},
	"change": {"before": {}, "after": overrides, "explicit": overrides, "implicitlyDeleted": []},
}) if {
	data.kafka.base.request.is_known(document)
	assignments := object.get(document.request, "replicasAssignments", {})
	overrides := _non_null_configs(document.request)
	values := learnt.typed(document, "topic", overrides, configs.values("topic", overrides))
}

_non_null_configs(request) := request.configs if {
	not null in request.configs
} else := {name: text | some name, text in request.configs; text != null}

_partition_count(_, assignments) := count(assignments) if assignments != {}

_partition_count(document, {}) := _number_or_default(document, "numPartitions", "num.partitions")

_replication_factor(_, assignments) := count(assignments["0"])

_replication_factor(document, {}) := _number_or_default(document, "replicationFactor", "default.replication.factor")

_number_or_default(document, field, _) := document.request[field] if document.request[field] != -1

_number_or_default(document, field, setting) := configs.int32(cluster.broker_default(document, setting)) if {
	object.get(document.request, field, -1) == -1
}

_create_refusals(document) := found if {
	found := _auto_creation_errors(document)
} else := found if {
	found := _partition_limit_errors(document)
} else := union({
	new_name(document),
	_existing_topic_errors(document),
	_null_config_errors(request),
	configs.too_long({}, overrides),
	configs.invalid("topic", overrides),
	_unknown_config_errors(document, {}, overrides),
	_tiering_errors(document, overrides),
	_invalid_count_errors(request),
	_manual_assignment_errors(request),
	_unknown_broker_errors(document, object.get(request, "replicasAssignments", {})),
	_too_few_brokers_errors(document),
	_batch_errors(_creation_record_count(document, overrides)),
}) if {
	request := document.request
	overrides := object.get(request, "configs", {})
}

_existing_topic_errors(document) := {errors.new("TOPIC_ALREADY_EXISTS", message) |
	stored(document)
	message := $"Topic '{document.request.topic}' already exists."
}

_null_config_errors(request) := {errors.new("INVALID_CONFIG", message) |
	null in request.configs
	names := [name | some name, text in request.configs; text == null]
	message := $"Null value not supported for topic configs: {concat(",", names)}"
}

_invalid_count_errors(request) := {errors.new("INVALID_PARTITIONS", message) |
	_is_invalid_count(request.numPartitions)
	message := "Number of partitions was set to an invalid non-positive value."
} | {errors.new("INVALID_REPLICATION_FACTOR", message) |
	_is_invalid_count(request.replicationFactor)
	message := "Replication factor must be larger than 0, or -1 to use the default value."
}

_is_invalid_count(0)

_is_invalid_count(number) if number < -1
