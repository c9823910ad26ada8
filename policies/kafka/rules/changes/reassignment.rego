package kafka.rules.changes

import data.kafka.changes
import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: A reassignment keeps the number of replicas and racks
# description: |
#   A reassignment file is also the way to change the replication factor, partition by partition, and Kafka asks no
#   policy about it: a list that is one broker short, or all of one rack, goes unnoticed.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-860
#   - https://kafka.apache.org/documentation/#basic_ops_increase_replication_factor
# custom:
#   id: KFK-CHG-006
#   severity: high
#   controls: [SOC2 A1.2, ISO27001 A.8.14]
#   operations: [AlterTopic]
#   params:
#     allowRfChange:
#       type: boolean
#       description: Whether a reassignment may give partitions another number of replicas.
#   messages:
#     one: partition {partition} would have {after} {what} in place of {before}
#     many: partition {partition} would have {after} {what} in place of {before}, and {more} more likewise
#   fix: give every partition as many brokers as it has, in as many racks, or fewer where `allowRfChange` is true, each
#     in a rack of its own
deny contains violation.new(rego.metadata.rule(), args, ["reassignments", json.marshal(first)], []) if {
	input.operation == "AlterTopic"
	params := input.params["KFK-CHG-006"]
	some what in ["replicas", "racks"]
	worse := {to_number(partition): size | some partition, size in _counts_by_worse_partition(what, params)}
	first := min(object.keys(worse))
	more := count(worse) - 1
	args := {
		"case": _partitions_case(more),
		"partition": first,
		"what": what,
		"before": worse[first].before,
		"after": worse[first].after,
		"more": more,
	}
}

_counts_by_worse_partition("replicas", params) := {partition: size |
	not params.allowRfChange
	some partition, move in changes.moves
	size := {"before": count(move.before), "after": count(move.after)}
	size.before != size.after
}

# A broker that is not known, or whose rack is not, counts for no rack. Where fewer replicas are allowed, so are as few
# racks.
_counts_by_worse_partition("racks", params) := {partition: size |
	some partition, move in changes.moves
	size := {"before": count(_racks(move.before)), "after": count(_racks(move.after))}
	size.after < min({size.before} | {count(move.after) | params.allowRfChange})
}

_racks(replicas) := {rack |
	brokers := cluster.part(input, "brokers")
	some broker in replicas
	rack := brokers[json.marshal(broker)].rack
	rack != null
}

_partitions_case(0) := "one"

_partitions_case(more) := "many" if more > 0
