package kafka.rules.brokers

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: A broker that holds replicas is not unregistered
# description: |
#   Kafka takes a broker out of a cluster's metadata whatever it holds: its partitions have a replica less from then on,
#   and those of which it has the only one no leader.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-631%3A+The+Quorum-based+Kafka+Controller
# custom:
#   id: KFK-BRK-010
#   severity: high
#   controls: [SOC2 A1.2, ISO27001 A.8.14]
#   operations: [UnregisterBroker]
#   params: {}
#   messages:
#     spelling: broker "{broker}" is not a broker's id as Kafka writes it
#     unknown: it is not known how many replicas broker {broker} holds
#     holds: broker {broker} holds {replicas} of the cluster's replicas
#   fixes:
#     spelling: write the id in digits alone, without a nought before it, as in 2
#     unknown: >-
#       ask with a state that tells totals: warden replicate keeps one in OPA, with which --state replicated
#       asks, and its meta.missing says what it lacks and why
#     holds: move the broker's replicas to others first, with kafka-reassign-partitions.sh
deny contains violation.new(rego.metadata.rule(), args, ["broker"], []) if {
	input.operation == "UnregisterBroker"
	input.params["KFK-BRK-010"]
	args := _held_replicas_args(input.request.broker)
}

# What is spelled in another way than the totals spell it would be in none of them.
_held_replicas_args(broker) := {"case": "spelling", "broker": broker} if {
	not regex.match(`^(0|-?[1-9][0-9]*)$`, broker)
} else := {"case": "unknown", "broker": broker} if {
	not _replica_count_by_broker
} else := {"case": "holds", "broker": broker, "replicas": replicas} if {
	# A broker that is not listed holds nothing.
	replicas := object.get(_replica_count_by_broker, broker, 0) + cluster.pending(input, ["totals", "byBroker", broker])
	replicas > 0
}

_replica_count_by_broker := cluster.part(input, "totals").byBroker # undefined where that is not known
