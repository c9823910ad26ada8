package kafka.rules.sizing

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: Replicas of each broker under a cap
# description: |
#   A broker with too many replicas is the first that falls behind, and takes longest to come back. Where Kafka places
#   the replicas, each broker is taken to get its share.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-578%3A+Add+configuration+to+limit+number+of+partitions
# custom:
#   id: KFK-SIZ-008
#   severity: high
#   controls: [SOC2 A1.1, ISO27001 A.8.6]
#   cap: true
#   operations: [CreateTopic, AlterTopic, AuditBroker]
#   params:
#     maxPerBroker: {type: integer, minimum: 1, description: Most replicas on a broker.}
#   messages:
#     unknown: it is not known how many replicas {broker} holds
#     above: "{broker} would hold {replicas} replicas, above the maximum of {limit}"
#     holds: "{broker} holds {replicas} replicas, above the maximum of {limit}"
#   fixes:
#     unknown: >-
#       ask with a state that tells totals and clusterSize: warden replicate keeps one in OPA, with which --state
#       replicated asks, and its meta.missing says what it lacks and why
#     above: >-
#       place the replicas on brokers with fewer of them, use fewer partitions, or add brokers;
#       a broker may hold {limit}
#     holds: move replicas to brokers with fewer of them, or add brokers; a broker may hold {limit}
deny contains violation.new(rego.metadata.rule(), args, path, []) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditBroker"}
	params := input.params["KFK-SIZ-008"]
	some [broker, replicas, path] in _broker_replica_counts
	args := _replica_count_args(broker, replicas, params.maxPerBroker)
}

# METADATA
# description: What each broker gains.
charge contains [["totals", "byBroker", id], gained] if {
	input.operation in {"CreateTopic", "AlterTopic"}
	some id, gained in _replica_gain_by_broker
}

_replica_count_args(broker, null, _) := {"case": "unknown", "broker": broker}

_replica_count_args(broker, replicas, limit) := {
	"case": _above_case,
	"broker": broker,
	"replicas": replicas,
	"limit": limit,
} if {
	replicas > limit
}

default _above_case := "above"

_above_case := "holds" if input.operation == "AuditBroker"

# Which brokers would hold how many replicas, null where that is not known: those that the request names, else
# all the same.
_broker_replica_counts := {["each broker", _replicas_per_broker(_added_replica_count), ["numPartitions"]]} if {
	input.requested.generatedReplicaAssignments
	_added_replica_count > 0
} else := {[_broker_text(input.broker), replicas, ["broker"]] |
	replicas := cluster.part(input, "totals").byBroker[input.broker]
} if {
	input.operation == "AuditBroker"
} else := _placed_replica_counts
