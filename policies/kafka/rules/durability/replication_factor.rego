# METADATA
# title: Durability
# description: Copies of the data, and how many must agree.
package kafka.rules.durability

import data.kafka.base.bounds
import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: Replication factor within bounds
# description: With one copy, losing one broker loses the data; with too many, every write pays for them.
# related_resources:
#   - https://kafka.apache.org/documentation/#replication
# custom:
#   id: KFK-DUR-001
#   severity: critical
#   controls: [SOC2 A1.2, ISO27001 A.8.14]
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     min: {type: integer, direction: least, minimum: 1, description: Least number of replicas of a partition.}
#     max: {type: integer, direction: greatest, minimum: 1, description: Greatest number of replicas of a partition.}
#   message: replication factor {actual} is {direction} of {limit}
#   fixes:
#     any: use a replication factor of {limit}
#     single: use a replication factor of {limit}, or give this cluster of one broker the profile single-broker
deny contains violation.new(rego.metadata.rule(), args, ["replicationFactor"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-DUR-001"]
	actual := input.requested.replicationFactor
	limit := sort([params.min, actual, params.max])[1]
	limit != actual
	direction := bounds.direction(actual, limit)
	args := {"case": _cluster_case(limit), "actual": actual, "direction": direction, "limit": limit}
	patch := [{"op": "replace", "path": "/replicationFactor", "value": limit}]
}

# Copies that the cluster cannot hold are no way out.
_cluster_case(limit) := "single" if {
	limit > 1
	cluster.part(input, "clusterSize") == 1
} else := "any"
