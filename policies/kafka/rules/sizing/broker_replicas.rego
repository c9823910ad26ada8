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
#   operations: [CreateTopic, AlterTopic, AuditBroker]
#   params:
#     maxPerBroker: {type: integer, minimum: 1, description: Most replicas on a broker.}
#   message: "{problem}"
#   fix: "{remedy}"
deny contains violation.new(rego.metadata.rule(), args, path, []) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditBroker"}
	params := input.params["KFK-SIZ-008"]
	some [broker, replicas, path] in _loads(input.operation)
	args := _load_problem(broker, replicas, params.maxPerBroker)
}

_load_problem(broker, null, _) := {
	"problem": $"it is not known how many replicas {broker} holds",
	"remedy": cluster.remedy("totals and clusterSize"),
}

_load_problem(broker, replicas, limit) := {
	"problem": $"{broker} would hold {replicas} replicas, above the maximum of {limit}",
	"remedy": concat("", [
		"place the replicas on brokers with fewer of them, use fewer partitions, or add brokers; ",
		$"a broker may hold {limit}",
	]),
} if {
	replicas > limit
}

# Which brokers would hold how many replicas, null where that is not known: those that the request names, else
# all the same.
_loads("CreateTopic") := _placed | _spread

_loads("AlterTopic") := _placed | _spread

_loads("AuditBroker") := {[_broker(input.broker), replicas, ["broker"]] |
	replicas := cluster.part(input, "totals").byBroker[input.broker]
}

_placed contains [_broker(id), replicas, ["replicasAssignments"]] if {
	not input.requested.generatedReplicaAssignments
	before := _assigned(input.current)
	moved := {partition: replicas |
		some partition, replicas in input.requested.replicasAssignments
		replicas != object.get(before, partition, [])
	}
	added := [id | some replicas in moved; some id in replicas]
	removed := [id | some partition, _ in moved; some id in object.get(before, partition, [])]
	some id in {id | some id in added}
	gained := count([x | some x in added; x == id]) - count([x | some x in removed; x == id])
	gained > 0
	replicas := _with(_held_by(json.marshal(id)), gained)
}

_spread contains ["each broker", replicas, ["numPartitions"]] if {
	input.requested.generatedReplicaAssignments
	more := _replicas(input.requested) - _replicas(input.current)
	more > 0
	replicas := _share(more)
}

_assigned(null) := {}

_assigned(topic) := topic.replicasAssignments

_broker(id) := $"broker {id}"

# A broker that is not listed holds nothing yet.
_held_by(id) := object.get(held, id, 0) if {
	held := cluster.part(input, "totals").byBroker
} else := null

_with(null, _) := null

_with(held, gained) := held + gained if held != null

_share(more) := ceil((cluster.part(input, "totals").replicas + more) / size) if {
	size := cluster.part(input, "clusterSize")
} else := null
