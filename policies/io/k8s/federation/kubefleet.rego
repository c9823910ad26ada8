package io.k8s.federation

# METADATA
# description: |
#   What a ResourcePlacement or ClusterResourcePlacement of KubeFleet selects; with a namespace all that lies in there,
#   unless it says otherwise: the namespace alone, or with it what the other selectors select there.
_resource_selectors(propagation) := [object.union_n([
	selector,
	{"apiVersion": _api_version(selector), "within": _is_whole_namespace(selector)},
	{"namespaces": {"", name} | some name in _selective_namespaces(propagation)},
]) |
	some selector in propagation.spec.resourceSelectors
] if {
	_is_of_kubefleet(propagation)
}

# KubeFleet takes one at the most.
_selective_namespaces(propagation) := {selector.name |
	some selector in propagation.spec.resourceSelectors
	selector.selectionScope == "NamespaceWithResourceSelectors"
}

_is_of_kubefleet(propagation) if startswith(propagation.apiVersion, "placement.kubernetes-fleet.io/")

_api_version(selector) := $"{selector.group}/{selector.version}" if {
	selector.group != ""
} else := selector.version

default _is_whole_namespace(_) := false

_is_whole_namespace(selector) if {
	selector.kind == "Namespace"
	not object.get(selector, "selectionScope", "") in {"NamespaceOnly", "NamespaceWithResourceSelectors"}
}

# The clusters that it may have what it selects run on: those that it picks, or all that fit one of its terms.
_propagation_clusters(propagation) := {name |
	some name in _picked_clusters(object.get(propagation.spec, "policy", {}))
} if {
	_is_of_kubefleet(propagation)
}

_picked_clusters(policy) := policy.clusterNames if {
	policy.placementType == "PickFixed"
} else := {name |
	some name in _known_clusters
	some term in _cluster_selector_terms(policy)
	_are_labels_selected(object.get(term, "labelSelector", {}), labels_of(cluster(name)))
}

# What else a term says, of properties that change as a cluster works, leaves it as it is.
_cluster_selector_terms(policy) := terms if {
	terms := policy.affinity.clusterAffinity.requiredDuringSchedulingIgnoredDuringExecution.clusterSelectorTerms
	count(terms) > 0
} else := [{}]
