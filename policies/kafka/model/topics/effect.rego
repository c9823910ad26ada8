package kafka.model.topics

# METADATA
# description: |
#   The fields of a topic's state that a request leaves otherwise than they were, of what is `prepared` for rules; null
#   where it deletes the topic. Where replicas will be nobody knows who has not placed them: broker -1.
# scope: document
state_after("CreateTopic", prepared) := {
	"numPartitions": prepared.requested.numPartitions,
	"replicasAssignments": _assignments_after(prepared.requested),
	"configs": prepared.requested.configs,
	"labels": prepared.labels,
	"internal": prepared.requested.internal,
	"markedForDeletion": false,
	"reassigning": {},
}

state_after("AlterTopic", prepared) := object.union_n([
	_altered_configs_field(prepared.request, prepared.requested),
	_altered_partition_fields(prepared.request, prepared.requested),
	object.filter(prepared.request, ["labels"]),
])

state_after("DeleteTopic", _) := null

_altered_configs_field(request, requested) := {"configs": requested.configs} if {
	request.configs
} else := {}

_altered_partition_fields(request, requested) := object.filter(after, ["numPartitions", "replicasAssignments"]) if {
	request.numPartitions
	after := object.union(requested, {"replicasAssignments": _assignments_after(requested)})
} else := {}

_assignments_after(requested) := object.union(anywhere, requested.replicasAssignments) if {
	replicas := [-1 | some _ in numbers.range(1, requested.replicationFactor)]
	anywhere := {format_int(partition, 10): replicas |
		some partition in numbers.range(0, requested.numPartitions - 1)
	}
}
