package kafka.rules.sizing

import data.kafka.cluster
import data.kafka.model.topics

# METADATA
# description: |
#   The team that the topic counts for, by which part of the totals, and what it holds; undefined parts
#   are not known.
_charged_owner(key) := {"name": team, "words": $"team {team}", "part": "byOwner", "held": held} if {
	team := topics.label(input.labels, key, "")
	team != ""
	held := _team_holdings(key, team)
} else := {
	"name": principal,
	"words": principal,
	"part": "byPrincipal",
	"held": _owner_holdings("byPrincipal", principal),
} if {
	principal := concat(":", [input.principal.type, input.principal.name])
}

# What is counted by another label says nothing about a team.
_team_holdings(key, team) := {} if {
	_is_counted_by_other_label(key)
} else := _owner_holdings("byOwner", team)

_is_counted_by_other_label(key) if cluster.part(input, "totals").labelKeys.byOwner != key

# With what is under way for it.
_owner_holdings(part, name) := _stored_owner_holdings(part, name) if {
	not cluster.has_pending(input)
} else := {kind: held |
	some kind, amount in _stored_owner_holdings(part, name)
	is_number(amount)
	held := amount + cluster.pending(input, ["totals", part, name, kind])
}

# One that is not listed has nothing yet.
_stored_owner_holdings(part, name) := held if {
	held := object.get(cluster.part(input, "totals")[part], [name], {
		"topics": 0,
		"partitions": 0,
		"retainedBytes": 0,
		"unboundedReplicas": 0,
	})
} else := {}

# What the request adds. Partitions of a topic that is there may have other numbers of replicas than the first, so that
# those which the request places are counted one by one; of a creation Kafka takes equal ones alone.
_added_replica_count := input.requested.numPartitions * input.requested.replicationFactor if {
	input.operation == "CreateTopic"
} else := _topic_replica_count(input.requested) - _topic_replica_count(input.current) if {
	not input.requested.generatedReplicaAssignments == false
} else := (_replica_count(_changed_assignments) - _replica_count(object.filter(
	_replica_assignments(input.current),
	object.keys(_changed_assignments),
))) + unplaced if {
	news := [partition | some partition, _ in _changed_assignments; not _replica_assignments(input.current)[partition]]
	unplaced := max([_added_partition_count - count(news), 0]) * input.requested.replicationFactor
}

_added_partition_count := input.requested.numPartitions if {
	input.operation == "CreateTopic"
} else := input.requested.numPartitions - _topic_partition_count(input.current)

_topic_partition_count(null) := 0

_topic_partition_count(topic) := topic.numPartitions

_topic_replica_count(null) := 0

_topic_replica_count(topic) := topic.numPartitions * topic.replicationFactor

# The partitions that the request names replicas for which they have not yet.
_changed_assignments[partition] := replicas if {
	not input.requested.generatedReplicaAssignments
	some partition, replicas in input.requested.replicasAssignments
	replicas != object.get(_replica_assignments(input.current), partition, [])
}

_replica_assignments(null) := {}

_replica_assignments(topic) := topic.replicasAssignments

_replica_count(assignments) := sum([count(replicas) | some replicas in assignments])
