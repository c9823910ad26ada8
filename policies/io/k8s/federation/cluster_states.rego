package io.k8s.federation

# METADATA
# title: What is known of clusters
# description: |
#   What remediations rest on besides the bundle: `revision` of the replica under data.kubernetes, null where it has
#   none, `policies` of ConfigMaps, null where there are none, and `clusters`: by name what each is. Where
#   `input.revision` is that revision `clusters` is left out. Where a site has rules of its own, which may read whatever
#   a cluster's object says, its resourceVersion is there too.
# entrypoint: true
cluster_states := {"policies": _policies_marker, "revision": revision} if {
	revision := _replica_revision
	revision != null
	revision == input.revision
} else := {
	"policies": _policies_marker,
	"revision": _replica_revision,
	"clusters": {name: _cluster_state(name) | some name in _candidate_clusters([])},
}

default _policies_marker := null

_policies_marker := data.site.loaded

# Before anything is replicated there is no data.kubernetes.
default _replica_revision := null

_replica_revision := data.kubernetes.meta.revision

_cluster_state(name) := _facts_of(name) if _placement_packages({}) == {}

_cluster_state(name) := object.union(_facts_of(name), {"resourceVersion": version}) if {
	_placement_packages({}) != {}
	version := object.get(cluster(name), ["metadata", "resourceVersion"], "")
}
