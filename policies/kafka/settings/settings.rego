# METADATA
# title: Settings
# description: |
#   The settings that hold for a cluster and an enforcement point: the base, over it each matching row of `clusters`
#   in the order written (the most specific last), over that the point's own.
package kafka.settings

# METADATA
# description: Rules by id, each with its mode, params and enforceFrom, as they hold for `cluster` at `point`.
rules(cluster, point) := {id: rule | some id, rule in merged; rule.mode != "disabled"} if {
	layers := array.concat(_matching(cluster), [object.get(data.settings.points, point, {})])
	merged := object.union_n(array.concat([data.settings.rules], layers))
}

_matching(cluster) := [row.rules |
	some row in data.settings.clusters
	glob.match(row.match.name, [], cluster)
]

# METADATA
# description: The parameters of the rules in force for `cluster` at `point`, by rule id.
params(cluster, point) := {id: rule.params | some id, rule in rules(cluster, point)}
