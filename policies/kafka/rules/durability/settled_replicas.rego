package kafka.rules.durability

# METADATA
# description: The replicas of each partition once what is running is done.
_settled_replicas_before[partition] := [broker | some broker in replicas; not broker in leaving] if {
	some partition, replicas in input.current.replicasAssignments
	leaving := object.get(input.requested.reassigning, [partition, "removing"], [])
}

_settled_replicas[partition] := [broker | some broker in replicas; not broker in leaving] if {
	some partition, replicas in input.requested.replicasAssignments
	leaving := _leaving_replicas(partition, replicas)
}

_leaving_replicas(partition, replicas) := object.get(input.requested.reassigning, [partition, "removing"], []) if {
	_is_untouched(partition, replicas)
} else := []

_is_untouched(partition, replicas) if replicas == input.current.replicasAssignments[partition]
