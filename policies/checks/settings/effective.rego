package checks.settings

import data.kafka.base.settings as in_force

# METADATA
# description: |
#   The rules as they hold for `cluster` at `enforcementPoint`, each with its mode and parameters and where each of them
#   comes from: the number of a layer and the path in it. `settings` are the layers merged; a later layer wins, then the
#   rows of clusters that match, then the enforcement point.
effective[id] := object.union(mode, {
	"params": params,
	"origins": object.union(
		{field: _origin(id, [field]) | some field, _ in mode},
		{"params": {name: _origin(id, ["params", name]) | some name, _ in params}},
	),
}) if {
	some id, mode in _modes_in_force
	params := object.get(_params_in_force, id, object.get(input.settings.rules[id], "params", {}))
}

_modes_in_force := modes if {
	modes := in_force.modes(input.cluster, input.enforcementPoint) with data.settings.compiled as compiled
}

_params_in_force := params if {
	params := in_force.params(input.cluster, input.enforcementPoint) with data.settings.compiled as compiled
}

# The last that says it is the one that holds.
_origin(id, field) := said[count(said) - 1] if {
	said := array.flatten([
		_sources_at(["rules", id], field),
		_cluster_sources(id, field),
		_sources_at(["enforcementPoints", input.enforcementPoint, id], field),
	])
	said != []
} else := null

_sources_at(place, field) := [{"layer": number, "path": path} |
	path := array.concat(place, field)
	some number, layer in input.layers
	object.get(layer, path, null) != null
]

# A list is a layer's as a whole.
_cluster_sources(id, field) := [{"layer": number, "path": array.concat(["clusters", row], inside)} |
	number := max([number | some number, layer in input.layers; layer.clusters])
	inside := array.concat(["rules", id], field)
	some row, one in input.layers[number].clusters
	glob.match(one.match.name, null, input.cluster)
	object.get(one, inside, null) != null
]
