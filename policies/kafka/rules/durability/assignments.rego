package kafka.rules.durability

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: Assignments by hand are even and span racks
# description: |
#   Kafka places replicas in different racks by itself; who assigns them by hand has to see to it, and to equal counts.
# related_resources:
#   - https://kafka.apache.org/documentation/#basic_ops_racks
# custom:
#   id: KFK-DUR-007
#   severity: high
#   operations: [CreateTopic, AlterTopic]
#   params:
#     minRacks: {type: integer, minimum: 1, description: Least number of racks that the replicas of a partition are in.}
#   message: "{problem}"
#   fix: give every partition equally many replicas, in {minRacks} racks or more
deny contains violation.new(rego.metadata.rule(), args, ["replicasAssignments"], []) if {
	input.operation in {"CreateTopic", "AlterTopic"}
	input.requested.generatedReplicaAssignments == false
	params := input.params["KFK-DUR-007"]
	some problem in _misplaced
	args := {"problem": problem, "minRacks": params.minRacks}
}

_misplaced contains $"partitions have different numbers of replicas: {concat(", ", listed)}" if {
	counts := {count(replicas) | some replicas in _settled}
	count(counts) > 1
	listed := [json.marshal(n) | some n in sort(counts)]
}

# Only what the request places is checked for its racks, so that one partition after the other can be mended.
_misplaced contains $"the replicas of {_partitions(narrow)} are in fewer than {least} racks" if {
	least := input.params["KFK-DUR-007"].minRacks
	racks := {id: broker.rack | some id, broker in cluster.part(input, "brokers"); not broker.rack in {null, ""}}
	racks != {}
	narrow := {partition |
		some partition, replicas in _settled
		not _untouched(partition, input.requested.replicasAssignments[partition])
		spanned := {racks[id] | some broker in replicas; id := $"{broker}"}
		count(spanned) < min([least, count(replicas)])
	}
	narrow != set()
}

# The replicas of each partition once what is running is done.
_settled[partition] := [broker | some broker in replicas; not broker in leaving] if {
	some partition, replicas in input.requested.replicasAssignments
	leaving := _leaving(partition, replicas)
}

_leaving(partition, replicas) := object.get(input.requested.reassigning, [partition, "removing"], []) if {
	_untouched(partition, replicas)
} else := []

_untouched(partition, replicas) if replicas == input.current.replicasAssignments[partition]

_partitions(names) := concat(" ", [noun, concat(", ", [json.marshal(n) | some n in ordered])]) if {
	ordered := sort([to_number(name) | some name in names])
	noun := object.get({1: "partition"}, count(ordered), "partitions")
}
