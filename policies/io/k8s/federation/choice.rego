package io.k8s.federation

# METADATA
# description: |
#   Which of the clusters that policy allows are chosen. Clusters that MAY be used: those that the developer
#   asks for and policy allows, or all of these where none are asked for. Clusters that MUST be used: all
#   that policy allows, whatever is asked for.
_chosen(_, _, _, _, false) := {}

_chosen(point, use, wish, allowed, true) := kept if {
	use == "may"
	kept := _wished(wish, allowed)
	_stays(point, kept)
} else := {name: _preference(wish, name) | some name in _allowed_clusters(allowed)}

# What is admitted gets what was asked for, be it nothing. What is stored and has nowhere left to be moves.
_stays("admission", _)

_stays("remediation", kept) if kept != {}

_wished(wish, allowed) := object.union(
	{name: preference | some name, preference in _named(wish); _permits(name, allowed)},
	{name: wish.clusters["*"] |
		some name in (_allowed_clusters(allowed) - object.keys(wish.clusters))
	},
) if {
	wish != null
}

_named(null) := {}

_named(wish) := object.remove(wish.clusters, ["*"]) if wish != null

_preference(null, _) := {"weight": 1}

_preference(wish, name) := object.get(wish.clusters, name, everywhere) if {
	everywhere := object.get(wish.clusters, "*", {"weight": 1})
}

_permits(name, allowed) if {
	meets(name, allowed.needs)
	every limit in allowed.limits { name in limit }
}

_allowed_clusters(allowed) := {name | some name in meeting(allowed.needs); _permits(name, allowed)} if {
	allowed.limits == []
} else := {name | some name in intersection({limit | some limit in allowed.limits}); _permits(name, allowed)}

# The sentence is that of the design: developers and tests look for it.
_invalid("admission", thing, "may", wish, allowed) := {message |
	wrong := {name | some name, _ in _named(wish); not _permits(name, allowed)}
	wrong != set()
	_checkable(allowed)
	[_, kind] := split(preferences_key(thing), "/")
	message := $"requested {kind} includes invalid clusters"
}

_invalid("admission", _, "must", _, _) := set()

_invalid("remediation", _, _, _, _) := set()

# Without replicated clusters nothing can be said of the names that an object without demands asks for.
_checkable(allowed) if count(allowed.needs) + count(allowed.limits) > 0

_checkable(_) if clusters_known
