package io.k8s.federation.render

# METADATA
# description: |
#   KubeFleet (placement.kubernetes-fleet.io/v1beta1): clusters picked by name, which takes neither tolerations nor
#   spread.
_target_rendering("kubefleet", thing, decision) := {
	"manifests": [{
		"apiVersion": "placement.kubernetes-fleet.io/v1beta1",
		"kind": _resource_placement_kind(thing),
		"metadata": _manifest_metadata(thing),
		"spec": {
			"resourceSelectors": [object.union(_group_version(thing.apiVersion), {
				"kind": thing.kind,
				"name": object.get(thing.metadata, "name", ""),
			})],
			"policy": {"placementType": "PickFixed", "clusterNames": _cluster_names(decision)},
		},
	}],
	"annotations": {},
	"warnings": _inexpressible_warnings("KubeFleet", decision, {
		"weight": "weights: it places on clusters and does not divide replicas",
		"minReplicas": "minReplicas of a cluster",
		"maxReplicas": "maxReplicas of a cluster",
		"tolerations": "tolerations of clusters that are picked by name",
		"spread": "spread constraints of clusters that are picked by name",
		"rebalance": "rebalancing: replicas are not moved",
	}),
}

_resource_placement_kind(thing) := "ResourcePlacement" if _is_namespaced(thing)

_resource_placement_kind(thing) := "ClusterResourcePlacement" if not _is_namespaced(thing)

_group_version(text) := {"group": parts[0], "version": parts[1]} if {
	parts := split(text, "/")
	count(parts) > 1
} else := {"group": "", "version": text}
