package io.k8s.federation.render

# METADATA
# description: |
#   What a target is to have so that a stored object runs where a decision says: `manifests`, one at the most, with the
#   labels that tell it from what people write, and owned by the object, so that it goes with it. What only asks for
#   something once, as a WorkloadRebalancer does, is not among them.
carried(target, thing, decision) := {
	"manifests": [object.union(manifest, {"metadata": _owner_metadata(thing)}) |
		some manifest in result.manifests
		_has_matching_scope(target, manifest, thing)
	],
	"warnings": result.warnings,
} if {
	result := _rendering(target, thing, decision)
}

# METADATA
# scope: document
# description: |
#   The clusters that an object of a target names, as it is rendered here; undefined where it names none so.
carried_clusters("karmada", present) := {name | some name in present.spec.placement.clusterAffinity.clusterNames}

carried_clusters("kubefleet", present) := {name | some name in present.spec.policy.clusterNames}

carried_clusters("ocm", present) := {name | some name in json.unmarshal(list)} if {
	[predicate] := present.spec.predicates
	[expression] := predicate.requiredClusterSelector.celSelector.celExpressions
	list := trim_prefix(expression, _cluster_expression_start)
	json.is_valid(list)
}

# METADATA
# description: The name of what a target has for an object; undefined for one without a name.
name_for(thing) := _manifest_metadata(thing).name

_owner_metadata(thing) := {
	"labels": data.catalog.placement.carrierLabels,
	"ownerReferences": [object.union(
		{"apiVersion": thing.apiVersion, "kind": thing.kind},
		object.filter(thing.metadata, ["name", "uid"]),
	)],
}

_has_matching_scope(target, manifest, thing) if {
	some carrier in data.catalog.placement.carriers[target]
	[carrier.apiVersion, carrier.kind] == [manifest.apiVersion, manifest.kind]
	_scope_by_namespaced[carrier.namespaced] == {"namespace" | _is_namespaced(thing)}
}

_scope_by_namespaced := {true: {"namespace"}, false: set()}
