# METADATA
# title: Settings
# description: |
#   The settings that hold for a cluster and an enforcement point: the base, over it each matching row of `clusters`
#   in the order written (the most specific last), over that the point's own. They come compiled (checks.settings).
package kafka.settings

# METADATA
# description: The parameters of rules, by rule id, as they hold for `cluster` at `point`.
params(cluster, point) := _over(data.settings.compiled.base.params, [layer.params | some layer in _layers(cluster, point)])

# METADATA
# description: The mode and enforceFrom of every rule, by rule id, as they hold for `cluster` at `point`.
modes(cluster, point) := _over(data.settings.compiled.base.modes, [layer.modes | some layer in _layers(cluster, point)])

# METADATA
# description: The waivers of a rule.
waivers(rule) := object.get(data.settings.compiled.waivers, rule, [])

_over(base, []) := base

_over(base, layers) := object.union_n(array.concat([base], layers)) if layers != []

_layers(cluster, point) := array.concat(
	_matching(data.settings.compiled.clusters, cluster),
	_named(data.settings.compiled.points, point),
)

_matching(rows, cluster) := [row.layer | some row in rows; glob.match(row.match.name, null, cluster)]

_named(points, point) := [layer | some name, layer in points; name == point]
