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
	principal := concat(":", [input.principal.type, input.principal.name])
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
