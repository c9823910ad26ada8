package io.k8s.federation

# METADATA
# description: |
#   Which of the clusters that policy allows are chosen. Clusters that MAY be used: those that the developer
#   requests and policy allows, or all of these where none are requested. Clusters that MUST be used: all
#   that policy allows, whatever is requested. Where policy only adds clusters, none of the others is chosen for it. A
#   cluster that is not ready is chosen for nobody, and kept by an object that names it.
_chosen_clusters(_, _, _, _, _, false) := {}

_chosen_clusters(enforcement_point, thing, use, wish, allowed, true) := kept if {
	_can_keep_wishes(use, allowed)
	kept := _wished_clusters(wish, allowed)
	_can_stay(enforcement_point, running_clusters(thing, kept))
} else := {name: _cluster_preference(wish, name) | some name in _choosable_clusters(wish, allowed)} if {
	_is_limited(allowed)
} else := {}

# METADATA
# description: |
#   Of clusters with their preferences, those in which an object runs: one of weight 0 without minReplicas, or of no
#   maxReplicas, gets none of the replicas. What has no replicas runs in each.
running_clusters(thing, clusters) := {name: preference |
	some name, preference in clusters
	_has_replicas(preference)
} if {
	has_replicas(thing)
} else := clusters

# METADATA
# description: |
#   Whether an object has replicas, which can be divided among clusters. A manifest may leave out the one that the API
#   server writes into an object of some kinds.
# scope: document
has_replicas(thing) if is_number(thing.spec.replicas)

has_replicas(thing) if thing.kind in data.catalog.placement.oneReplicaByDefault

# A missing weight is 0, as in Federation.
_has_replicas(preference) if {
	object.get(preference, "maxReplicas", 1) > 0
	max({object.get(preference, field, 0) | some field in ["minReplicas", "weight"]}) > 0
}

# What the object asks for itself; where that is nothing, to stay where its target has it.
_wish(thing, stored) := wish if {
	wish := preferences(thing)
	wish != null
} else := {"clusters": {name: {"weight": 1} | some name in stored.clusters}, "rebalance": true} if {
	stored.clusters
} else := null

_can_keep_wishes("may", _)

_can_keep_wishes("must", allowed) if not _is_limited(allowed)

_is_limited(allowed) if count(allowed.needs) + count(allowed.limits) > 0

# What is admitted gets what was requested, be it nothing. What is stored and has nowhere left to be moves.
_can_stay("admission", _)

_can_stay("remediation", kept) if kept != {}

_wished_clusters(wish, allowed) := object.union(
	{name: preference | some name, preference in _clusters_of(wish); _is_permitted(name, allowed)},
	_wildcard_clusters(wish, allowed),
) if {
	wish != null
}

# All that policy allows is worked out for "*" only: an object that names its clusters costs as much in any fleet.
_wildcard_clusters(wish, allowed) := {name: everywhere |
	some name in (_ready_clusters(allowed) - object.keys(wish.clusters))
} if {
	everywhere := wish.clusters["*"]
} else := {}

_clusters_of(null) := {}

_clusters_of(wish) := object.remove(wish.clusters, ["*"]) if wish != null

_cluster_preference(null, _) := {"weight": 1}

_cluster_preference(wish, name) := object.get(wish.clusters, name, everywhere) if {
	everywhere := object.get(wish.clusters, "*", {"weight": 1})
}

_is_permitted(name, allowed) if {
	is_suitable(name, allowed.needs)
	every limit in allowed.limits { name in limit }
}

# Those that are ready, and those that the object names already.
_choosable_clusters(wish, allowed) := _ready_clusters(allowed) | {name |
	some name, _ in _clusters_of(wish)
	_is_permitted(name, allowed)
}

_ready_clusters(allowed) := ready_clusters(allowed.needs) if {
	allowed.limits == []
} else := {name |
	some name in intersection({limit | some limit in allowed.limits})
	_is_permitted(name, allowed)
	_is_ready(name)
}

_is_ready(name) if _facts_of(name).state == "ready"

# The sentence is that of the design: developers and tests look for it.
_invalid_cluster_errors("admission", thing, "may", wish, allowed) := {message |
	wrong := {name | some name, _ in _clusters_of(wish); not _is_permitted(name, allowed)}
	wrong != set()
	_can_check_wished_clusters(allowed)
	[_, kind] := split(preferences_key(thing), "/")
	message := $"requested {kind} includes invalid clusters"
}

_invalid_cluster_errors("admission", _, "must", _, _) := set()

_invalid_cluster_errors("remediation", _, _, _, _) := set()

# What is stored has a version, and keeps its clusters while they are not ready: an update must not be refused for that.
_unready_cluster_errors("admission", thing, wish, allowed) := {$"cluster {name} is not ready: ask for another one" |
	object.get(thing.metadata, "resourceVersion", "") == ""
	some name, _ in _clusters_of(wish)
	_is_permitted(name, allowed)
	not _is_ready(name)
}

_unready_cluster_errors("remediation", _, _, _) := set()

# Without replicated clusters nothing can be said of the names that an object without demands asks for.
_can_check_wished_clusters(allowed) if _is_limited(allowed)

_can_check_wished_clusters(_) if has_clusters
