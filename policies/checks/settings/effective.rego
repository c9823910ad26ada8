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
_origin(id, field) := origins[count(origins) - 1] if {
	origins := array.flatten([
		_layer_origins(["rules", id], field),
		_cluster_row_origins(id, field),
		_layer_origins(["enforcementPoints", input.enforcementPoint, id], field),
	])
	origins != []
} else := null

_layer_origins(place, field) := [{"layer": number, "path": path} |
	path := array.concat(place, field)
	some number, layer in input.layers
	object.get(layer, path, null) != null
]

# A list is a layer's as a whole.
_cluster_row_origins(id, field) := [{"layer": number, "path": array.concat(["clusters", i], inside)} |
	number := max([number | some number, layer in input.layers; layer.clusters])
	inside := array.concat(["rules", id], field)
	some i, row in input.layers[number].clusters
	glob.match(row.match.name, null, input.cluster)
	object.get(row, inside, null) != null
]
