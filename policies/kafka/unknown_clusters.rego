package kafka

import data.kafka.base.request

# METADATA
# title: Names of clusters that nobody knows
# description: |
#   The input is {"clusters": [name]}. The answer has a sentence about each of them that no settings name and of which
#   no state is replicated, by its name; none where the settings and the replica name no cluster at all.
# entrypoint: true
unknown_clusters[name] := concat("", [
	$"cluster {name}: no settings name it, and no state of it is replicated",
	request.hint(name, _known_cluster_names),
]) if {
	count(_cluster_name_patterns | _known_cluster_names) > 0
	some name in input.clusters
	is_string(name)
	not name in _known_cluster_names
	every pattern in _cluster_name_patterns { not glob.match(pattern, null, name) }
}

_cluster_name_patterns contains row.match.name if some row in object.get(data.settings.compiled, "clusters", [])

# What a cluster's state tells of itself, and not the state, which OPA would have to convert.
_known_cluster_names contains name if {
	some name
	data.clusters[name].meta
}

_known_cluster_names contains pattern if {
	some pattern in _cluster_name_patterns
	regex.match(`^[A-Za-z0-9._-]+$`, pattern)
}
