package kafka.rules.durability

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: As many brokers, or racks, as replicas
# description: More replicas than brokers cannot be placed; more than racks means that one rack holds two of them.
# related_resources:
#   - https://kafka.apache.org/documentation/#basic_ops_racks
# custom:
#   id: KFK-DUR-006
#   severity: high
#   controls: [SOC2 A1.2, ISO27001 A.8.14]
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     onePerRack: {type: boolean, description: Whether each replica of a partition needs a rack of its own.}
#   message: replication factor {actual} is above {limit}, the number of {places} in the cluster
#   fix: use a replication factor of {limit}, or add {places}
deny contains violation.new(rego.metadata.rule(), args, ["replicationFactor"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-DUR-006"]
	actual := input.requested.replicationFactor
	shortage := _shortage_args(actual, params)
	args := object.union(shortage, {"actual": actual})
	patch := [{"op": "replace", "path": "/replicationFactor", "value": shortage.limit}]
}

# Where the state does not say how many there are, the broker is left to find out.
_shortage_args(actual, params) := {"limit": size, "places": "brokers"} if {
	size := cluster.part(input, "clusterSize")
	actual > size
} else := {"limit": count(racks), "places": "racks"} if {
	params.onePerRack
	racks := {broker.rack | some broker in cluster.part(input, "brokers")} - {null, ""}
	racks != set()
	actual > count(racks)
}
