package kafka.topics

import data.kafka.cluster
import data.kafka.configs
import data.kafka.errors

_alter(document) := {
	"current": current,
	"requested": object.union(current, {
		"numPartitions": object.get(document.request, "numPartitions", current.numPartitions),
		"replicationFactor": _replication_factor(assignments, _in_flight(document.request, current), current),
		"replicasAssignments": assignments,
		"generatedReplicaAssignments": generated,
		"configs": change.after,
		"values": configs.values(change.after),
		"requestedConfigs": change.explicit,
	}),
	"effective": configs.effective(document, change.after),
	"change": change,
	"labels": current.labels,
} if {
	current := _current(document)
	change := configs.resolved(current.configs, object.get(document.request, "configs", {"mode": "incremental", "ops": []}))
	assignments := object.union_n([current.replicasAssignments, _added(document.request, current), _moved(document.request, current)])
	generated := count({field | some field in ["newAssignments", "reassignments"]; document.request[field]}) == 0
}

_audit(document) := {
	"current": current,
	"requested": object.union(current, {"generatedReplicaAssignments": true, "requestedConfigs": {}}),
	"effective": configs.effective(document, current.configs),
	"change": {"before": current.configs, "after": current.configs, "explicit": {}, "implicitlyDeleted": []},
	"labels": current.labels,
} if {
	current := _current(document)
}

_added(request, current) := {format_int(current.numPartitions + i, 10): replicas |
	some i, replicas in request.newAssignments
}

# A list is the target; null cancels: what was being added goes, and what is there stays.
_moved(request, current) := {partition: target |
	some partition, replicas in request.reassignments
	target := _target(replicas, current.replicasAssignments[partition], object.get(current, ["reassigning", partition, "adding"], []))
}

_target(replicas, _, _) := replicas if replicas != null

_target(null, present, adding) := [broker | some broker in present; not broker in adding]

# Reassignments still running, without those that this request replaces or cancels.
_in_flight(request, current) := object.remove(
	object.get(current, "reassigning", {}),
	object.keys(object.get(request, "reassignments", {})),
)

_alter_refusals(document) := _missing(document) if not cluster.topic(document, document.request.topic)

_alter_refusals(document) := union({
	configs.change_errors(object.get(request, "configs", {})),
	configs.invalid(configs.after(topic.configs, object.get(request, "configs", {"mode": "incremental", "ops": []}))),
	_not_an_increase(request, topic),
}) if {
	request := document.request
	topic := cluster.topic(document, request.topic)
}

_missing(document) := {errors.new("UNKNOWN_TOPIC_OR_PARTITION", message) |
	not cluster.topic(document, document.request.topic)
	message := $"Topic '{document.request.topic}' does not exist in cluster '{document.cluster}'."
}

_not_an_increase(request, topic) := {errors.new("INVALID_PARTITIONS", message) |
	request.numPartitions == topic.numPartitions
	message := $"Topic already has {topic.numPartitions} partition(s)."
} | {errors.new("INVALID_PARTITIONS", message) |
	request.numPartitions < topic.numPartitions
	message := concat("", [
		$"The topic {request.topic} currently has {topic.numPartitions} partition(s); ",
		$"{request.numPartitions} would not be an increase.",
	])
}
