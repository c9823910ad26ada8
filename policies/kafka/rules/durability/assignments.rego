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
#   controls: [SOC2 A1.2, ISO27001 A.8.14]
#   operations: [CreateTopic, AlterTopic]
#   params:
#     minRacks: {type: integer, minimum: 1, description: Least number of racks that the replicas of a partition are in.}
#   messages:
#     uneven: "partitions have different numbers of replicas: {counts}"
#     racks: the replicas of {partitions} are in fewer than {minRacks} racks
#   fix: give every partition equally many replicas, in {minRacks} racks or more
deny contains violation.new(rego.metadata.rule(), args, ["replicasAssignments"], []) if {
	input.operation in {"CreateTopic", "AlterTopic"}
	input.requested.generatedReplicaAssignments == false
	params := input.params["KFK-DUR-007"]
	some problem in _misplaced_replicas_args
	args := object.union(problem, {"minRacks": params.minRacks})
}

# Only what gets worse counts, so that one partition after the other can be mended or moved: partitions that have
# another number of replicas than the first, and had not before.
_misplaced_replicas_args contains {"case": "uneven", "counts": concat(", ", listed)} if {
	_uneven_partitions(_settled_replicas) - _uneven_partitions(_settled_replicas_before) != set()
	counts := {count(replicas) | some replicas in _settled_replicas}
	listed := [json.marshal(n) | some n in sort(counts)]
}

# Partitions that the request places in fewer racks than they were in.
_misplaced_replicas_args contains {"case": "racks", "partitions": _partitions_text(narrow)} if {
	least := input.params["KFK-DUR-007"].minRacks
	racks := {id: broker.rack | some id, broker in cluster.part(input, "brokers"); not broker.rack in {null, ""}}
	racks != {}
	narrow := {partition |
		some partition, replicas in _settled_replicas
		spanned := _rack_count(replicas, racks)
		spanned < min([least, count(replicas)])
		not _is_span_kept(partition, spanned, racks)
	}
	narrow != set()
}

_uneven_partitions(assignments) := {partition |
	some partition, replicas in assignments
	count(replicas) != count(assignments["0"])
}

_is_span_kept(partition, spanned, racks) if _rack_count(_settled_replicas_before[partition], racks) <= spanned

_rack_count(replicas, racks) := count({racks[id] | some broker in replicas; id := $"{broker}"})

_partitions_text(names) := concat(" ", [noun, concat(", ", [json.marshal(n) | some n in ordered])]) if {
	ordered := sort([to_number(name) | some name in names])
	noun := object.get({1: "partition"}, count(ordered), "partitions")
}
