package kafka.rules.sizing

import data.kafka.cluster

# METADATA
# description: |
#   The team that the topic counts for, by which part of the totals, and what it holds; undefined parts
#   are not known.
_tenant(key) := {"name": team, "words": $"team {team}", "part": "byOwner", "held": _held("byOwner", team)} if {
	team := input.labels[key]
	trim_space(team) != ""
} else := {"name": principal, "words": principal, "part": "byPrincipal", "held": _held("byPrincipal", principal)} if {
	# Who is not authenticated is User:ANONYMOUS, as in Kafka.
	asking := object.get(input, "principal", {"type": "User", "name": "ANONYMOUS"})
	principal := concat(":", [asking.type, asking.name])
}

# One that is not listed has nothing yet.
_held(part, name) := held if {
	held := object.get(cluster.part(input, "totals")[part], [name], {
		"topics": 0,
		"partitions": 0,
		"retainedBytes": 0,
		"unboundedReplicas": 0,
	})
} else := {}
