package kafka.rules.durability

import data.kafka.violation

# METADATA
# title: min.insync.replicas leaves room for a broker to be down
# description: |
#   When it equals the replication factor, one broker down stops every producer with acks=all; Kafka does not refuse it.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
# custom:
#   id: KFK-DUR-002
#   severity: high
#   controls: [SOC2 A1.2, ISO27001 A.8.14]
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     margin: {type: integer, minimum: 0, description: Brokers that may be down while producers with acks=all go on.}
#   message: min.insync.replicas {actual} is above {limit}, the replication factor {replicationFactor} less {margin}
#   fix: set min.insync.replicas to {limit}, or raise the replication factor
deny contains violation.new(rego.metadata.rule(), args, ["configs", "min.insync.replicas"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-DUR-002"]
	actual := input.effective.values["min.insync.replicas"]
	replication_factor := input.requested.replicationFactor
	limit := max([1, replication_factor - params.margin])
	actual > limit
	args := {"actual": actual, "limit": limit, "replicationFactor": replication_factor, "margin": params.margin}
	patch := violation.addition("min.insync.replicas", json.marshal(limit))
}
