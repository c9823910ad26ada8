package kafka.model.topics

import data.kafka.base.errors
import data.kafka.cluster
import data.kafka.configs
import data.kafka.model.learnt

prepared("AlterTopic", document, shared) := object.union(document, {
	"now": shared.now,
	"params": shared.params,
	"topic": document.request.topic,
	"labels": labels,
	"current": current,
	"requested": object.union(object.remove(current, ["configs", "labels", "values"]), {
		"numPartitions": object.get(document.request, "numPartitions", topic.numPartitions),
		"replicationFactor": _replication_factor_after(document.request, topic, assignments),
		"replicasAssignments": assignments,
		"generatedReplicaAssignments": _has_generated_assignments(document.request),
		"configs": change.after,
		"values": values,
		"requestedConfigs": change.explicit,
		"labels": labels,
	}),
	"effective": {"values": object.union(configs.topic_defaults(document), values)},
	"change": change,
	"hasBefore": true,
}) if {
	topic := stored(document)
	current := _typed_state(document, _topic_state(topic))
	labels := _labels_after(document, topic)
	change := configs.resolved("topic", current.configs, object.get(document.request, "configs", _empty_config_change))
	values := learnt.typed(document, "topic", change.after, configs.values("topic", change.after))
	assignments := object.union_n([
		topic.replicasAssignments,
		_added_replicas_by_partition(document.request, topic),
		_reassigned_replicas_by_partition(document.request, topic),
	])
}

prepared("AuditTopic", document, shared) := object.union(document, {
	"now": shared.now,
	"params": shared.params,
	"topic": document.request.topic,
	"labels": state.labels,
	"current": state,
	"requested": state,
	"effective": {"values": object.union(configs.topic_defaults(document), state.values)},
}) if {
	state := _typed_state(document, _topic_state(stored(document)))
}

# Those that its name tells stay, whatever is said.
_labels_after(document, topic) := object.union(_labels_from_topic_name(document), document.request.labels) if {
	document.request.labels
} else := topic.labels

_typed_state(document, state) := object.union(state, {"values": values}) if {
	cluster.part(document, "catalog").configs.topic
	values := learnt.typed(document, "topic", state.configs, state.values)
} else := state

_empty_config_change := {"mode": "incremental", "ops": []}

_has_generated_assignments(request) := false if {
	some field in ["newAssignments", "reassignments"]
	request[field]
} else := true

_added_replicas_by_partition(request, current) := {format_int(current.numPartitions + i, 10): replicas |
	some i, replicas in request.newAssignments
}

# What is wanted; else what is there once the request is carried out.
_replication_factor_after(request, _, _) := request.replicationFactor

_replication_factor_after(request, topic, assignments) := counted if {
	not request.replicationFactor
	counted := _replica_count(assignments, _remaining_reassignments(request, topic), replication_factor)
}

# A list is the target; null cancels: what was being added goes, and what is there stays. A target that takes no broker
# away leaves those to go that are going already (ReplicationControlManager.changePartitionReassignment, 4.3).
_reassigned_replicas_by_partition(request, current) := {partition: target |
	some partition, replicas in request.reassignments
	running := object.get(current, ["reassigning", partition], {"adding": [], "removing": []})
	target := _target_replicas(replicas, current.replicasAssignments[partition], running)
}

_target_replicas(replicas, present, running) := [broker | some broker in replicas; not broker in going] if {
	replicas != null
	every broker in present { broker in replicas }
	going := running.removing
} else := replicas if replicas != null

_target_replicas(null, present, running) := [broker | some broker in present; not broker in running.adding]

# Reassignments still running, without those that this request replaces or cancels.
_remaining_reassignments(request, current) := object.remove(
	object.get(current, "reassigning", {}),
	object.keys(object.get(request, "reassignments", {})),
)

_alter_refusals(document) := refused if {
	refused := _added_partition_limit_errors(document.request, stored(document))
} else := union({
	configs.refusals("topic", overrides, change, learnt.possible_lists(document, "topic", change)),
	_unknown_config_errors(document, overrides, after),
	_tiering_change_errors(document, after, object.keys(configs.explicit("topic", overrides, change))),
	_tiering_disablement_errors(overrides, after),
	_partition_increase_errors(document.request, topic),
	_new_assignment_errors(document.request, topic),
	_reassignment_errors(document.request, topic),
	_replication_factor_change_errors(document, topic),
	_replication_factor_errors(document.request),
	_unknown_broker_errors(document, object.get(document.request, "newAssignments", [])),
	_unknown_broker_errors(document, _reassignment_targets(document.request)),
}) if {
	topic := stored(document)
	overrides := object.get(topic, "configs", {})
	change := object.get(document.request, "configs", _empty_config_change)
	after := configs.after("topic", overrides, change)
} else := _missing_topic_errors(document)

# METADATA
# description: The refusal of a topic that the cluster does not have.
missing(document) := set() if {
	stored(document)
} else := {errors.new("UNKNOWN_TOPIC_OR_PARTITION", message)} if {
	message := $"Topic '{document.request.topic}' does not exist in cluster '{document.cluster}'."
}

_partition_increase_errors(request, topic) := {errors.new("INVALID_PARTITIONS", message) |
	request.numPartitions == topic.numPartitions
	message := $"Topic already has {topic.numPartitions} partition(s)."
} | {errors.new("INVALID_PARTITIONS", message) |
	request.numPartitions < topic.numPartitions
	message := concat("", [
		$"The topic {request.topic} currently has {topic.numPartitions} partition(s); ",
		$"{request.numPartitions} would not be an increase.",
	])
}
