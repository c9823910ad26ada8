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

# METADATA
# description: The topic as its team has it already; null where it has counted for another until now, or is new.
_counted_topic(key) := null if {
	_is_relabelled(key)
} else := input.current

_is_relabelled(key) if topics.label(input.labels, key, "") != topics.label(input.current.labels, key, "")
