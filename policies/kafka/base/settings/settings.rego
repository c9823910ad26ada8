# METADATA
# title: Settings
# description: |
#   The settings that hold for a cluster and an enforcement point. Over the base lies each matching row of `clusters`
#   in the order written (the most specific last), over that the enforcement point's own. They come compiled
#   (checks.settings).
package kafka.base.settings

# METADATA
# description: The parameters of rules, by rule id, as they hold for `cluster` at `enforcement_point`.
params(cluster, enforcement_point) := compiled.base.params if {
	compiled := data.settings.compiled
	object.get(compiled, "clusters", []) == []
	object.get(compiled.enforcementPoints, [enforcement_point, "params"], {}) == {}
} else := object.union(_disabled_params(layers), _overlaid_part("params", layers)) if {
	layers := _matching_layers(cluster, enforcement_point)
}

# Those that the base has of the rules that it disables, where a layer says something of them.
_disabled_params(layers) := object.filter(
	object.get(data.settings.compiled.base, "disabledParams", {}),
	{id | some layer in layers; some id, _ in layer.params},
)

# METADATA
# description: The mode and enforceFrom of every rule, by rule id, as they hold for `cluster` at `enforcement_point`.
modes(cluster, enforcement_point) := _overlaid_part("modes", _matching_layers(cluster, enforcement_point))

# METADATA
# description: |
#   How old the cluster's state may be for an operation and how far ahead of OPA's clock, as it holds for `cluster` at
#   `enforcement_point`, and what is done otherwise: {"maxAgeSeconds", "maxAheadSeconds", "then"}.
freshness(cluster, enforcement_point, operation) := object.union(
	limits["default"],
	object.get(limits.operations, operation, {}),
) if {
	limits := _overlaid_part("freshness", _matching_layers(cluster, enforcement_point))
}

# METADATA
# description: The label that names a topic's owner, as it holds for clusters that set none of their own (KFK-GOV-001).
owner_label := object.get(data.settings.compiled, ["base", "params", "KFK-GOV-001", "labelKey"], "owner")

# METADATA
# description: The waivers of a rule.
waivers(rule) := object.get(data.settings.compiled.waivers, rule, [])

# METADATA
# description: The rules that are not disabled everywhere.
enabled contains id if {
	some layer in _all_layers
	some id, _ in layer.params
}

# METADATA
# description: What is said of freshness anywhere.
freshness_layers contains object.get(layer, "freshness", {}) if some layer in _all_layers

_all_layers := array.concat(rows, [layer | some layer in object.get(compiled, "enforcementPoints", {})]) if {
	compiled := data.settings.compiled
	rows := array.concat([compiled.base], [row.layer | some row in object.get(compiled, "clusters", [])])
}

# Where nothing lies over the base it is handed on as it is, not built again.
_overlaid_part(part, []) := data.settings.compiled.base[part]

_overlaid_part(part, layers) := object.union_n(array.concat([data.settings.compiled.base[part]], laid)) if {
	layers != []
	laid := [layer[part] | some layer in layers]
}

# Rows through object.get: in a bundle the settings are constants, and a reference into an empty one is refused.
_matching_layers(cluster, enforcement_point) := array.concat(
	[row.layer |
		some row in object.get(data.settings.compiled, "clusters", [])
		glob.match(row.match.name, null, cluster)
	],
	[layer | layer := object.get(data.settings.compiled.enforcementPoints, enforcement_point, null); layer != null],
)
