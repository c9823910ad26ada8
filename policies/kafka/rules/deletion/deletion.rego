package kafka.rules.deletion

import data.kafka.cluster

# METADATA
# description: What the rules say where the cluster's state lacks a part, by the part's name.
_unknown := {
	"consumers": "the cluster's state does not tell which groups read it",
	"groups": "the cluster's state does not tell what its groups have committed",
	"writes": "the cluster's state does not tell when it was last written",
}

# METADATA
# description: The fix where that is so, else the one that helps against what is known.
_remedy(problem, known) := cluster.remedy(part) if {
	some part, unknown in _unknown
	problem == unknown
} else := known
