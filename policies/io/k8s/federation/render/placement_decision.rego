package io.k8s.federation.render

# METADATA
# description: |
#   PlacementDecision of SIG-Multicluster (KEP-5313, multicluster.x-k8s.io/v1alpha1): data for whoever schedules. So
#   many clusters a slice, slices of one decision held together by a label.
_target_rendering("placementdecision", thing, decision) := {
	"manifests": [_placement_decision_slice(thing, i, clusters) |
		size := data.catalog.placement.decisionsPerSlice
		names := _cluster_names(decision)
		some i in numbers.range(0, max([0, ceil(count(names) / size) - 1]))
		clusters := [{"clusterProfileRef": {"name": name}, "reason": concat("; ", decision.reasons)} |
			some name in array.slice(names, i * size, (i + 1) * size)
		]
	],
	"annotations": {},
	"warnings": (_inexpressible_warnings("PlacementDecision", decision, {
		"weight": "weights: it only lists clusters",
		"minReplicas": "minReplicas of a cluster",
		"maxReplicas": "maxReplicas of a cluster",
		"tolerations": "tolerations",
		"spread": "spread constraints",
		"rebalance": "rebalancing",
	}) | {"a PlacementDecision lies in a namespace: give it one" | not _is_namespaced(thing)}),
}

_placement_decision_slice(thing, i, clusters) := {
	"apiVersion": "multicluster.x-k8s.io/v1alpha1",
	"kind": "PlacementDecision",
	"metadata": object.union(_manifest_metadata(thing), {"name": $"{key}-{i}", "labels": {
		"multicluster.x-k8s.io/decision-key": key,
		"multicluster.x-k8s.io/decision-index": $"{i}",
		"multicluster.x-k8s.io/placement-key": key,
	}}),
	"decisions": clusters,
	"schedulerName": "warden",
} if {
	key := _manifest_metadata(thing).name
}
