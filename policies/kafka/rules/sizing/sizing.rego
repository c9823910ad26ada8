package kafka.rules.sizing

import data.kafka.cluster

# METADATA
# description: |
#   The team that the topic counts for, by which part of the totals, and what it holds; undefined parts
#   are not known.
_owner_total(key) := {"name": team, "words": $"team {team}", "part": "byOwner", "held": _holdings("byOwner", team)} if {
	team := input.labels[key]
	trim_space(team) != ""
} else := {
	"name": principal,
	"words": principal,
	"part": "byPrincipal",
	"held": _holdings("byPrincipal", principal),
} if {
	principal := concat(":", [input.principal.type, input.principal.name])
}

# With what is under way for it.
_holdings(part, name) := _stored(part, name) if {
	not cluster.has_pending(input)
} else := {kind: held |
	some kind, amount in _stored(part, name)
	is_number(amount)
	held := amount + cluster.pending(input, ["totals", part, name, kind])
}

# One that is not listed has nothing yet.
_stored(part, name) := held if {
	held := object.get(cluster.part(input, "totals")[part], [name], {
		"topics": 0,
		"partitions": 0,
		"retainedBytes": 0,
		"unboundedReplicas": 0,
	})
} else := {}

# What the request adds. Partitions of a topic that is there may have other numbers of replicas than the first, so that
# those which the request places are counted one by one; of a creation Kafka takes equal ones alone.
_more_replicas := input.requested.numPartitions * input.requested.replicationFactor if {
	input.operation == "CreateTopic"
} else := _replicas(input.requested) - _replicas(input.current) if {
	not input.requested.generatedReplicaAssignments == false
} else := (_replica_count(_moved) - _replica_count(object.filter(
	_assigned(input.current),
	object.keys(_moved),
))) + unplaced if {
	news := [partition | some partition, _ in _moved; not _assigned(input.current)[partition]]
	unplaced := max([_more_partitions - count(news), 0]) * input.requested.replicationFactor
}

_more_partitions := input.requested.numPartitions if {
	input.operation == "CreateTopic"
} else := input.requested.numPartitions - _partitions(input.current)

_partitions(null) := 0

_partitions(topic) := topic.numPartitions

_replicas(null) := 0

_replicas(topic) := topic.numPartitions * topic.replicationFactor

# The partitions that the request names replicas for which they have not yet.
_moved[partition] := replicas if {
	not input.requested.generatedReplicaAssignments
	some partition, replicas in input.requested.replicasAssignments
	replicas != object.get(_assigned(input.current), partition, [])
}

_assigned(null) := {}

_assigned(topic) := topic.replicasAssignments

_replica_count(assignments) := sum([count(replicas) | some replicas in assignments])
