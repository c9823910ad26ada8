package io.k8s.federation.render

# METADATA
# description: |
#   Karmada (policy.karmada.io/v1alpha1). It refuses a weight of 0, which a cluster with minReplicas may have, and keeps
#   placements until a rebalance is requested.
_target_rendering("karmada", thing, decision) := {
	"manifests": array.concat([_propagation_policy(thing, decision)], _workload_rebalancers(thing, decision)),
	"annotations": {},
	"warnings": union({
		_inexpressible_warnings("Karmada", decision, {
			"minReplicas": "minReplicas of a cluster",
			"maxReplicas": "maxReplicas of a cluster",
		}),
		{$"Karmada takes a spread only with one by cluster: it is added, over at least {row.minGroups}" |
			some row in _added_cluster_spread(decision)
		},
		{$"Karmada takes no weight of 0: that of {name} is 1" |
			data.io.k8s.federation.has_replicas(thing)
			some name, preference in decision.clusters
			_weight(preference) == 0
		},
	}),
}

_propagation_policy(thing, decision) := {
	"apiVersion": "policy.karmada.io/v1alpha1",
	"kind": _propagation_policy_kind(thing),
	"metadata": _manifest_metadata(thing),
	"spec": {
		"resourceSelectors": [_object_reference(thing)],
		"placement": object.union_n([
			{"clusterAffinity": {"clusterNames": _cluster_names(decision)}},
			{"clusterTolerations": decision.tolerations | decision.tolerations != []},
			{"spreadConstraints": constraints |
				spread := [_karmada_spread_constraint(constraint) | some constraint in decision.spread]
				constraints := array.concat(spread, _added_cluster_spread(decision))
				constraints != []
			},
			{"replicaScheduling": scheduling | scheduling := _replica_scheduling(thing, decision)},
		]),
	},
}

_propagation_policy_kind(thing) := "PropagationPolicy" if _is_namespaced(thing)

_propagation_policy_kind(thing) := "ClusterPropagationPolicy" if not _is_namespaced(thing)

# What has no replicas is in each cluster whole.
_replica_scheduling(thing, decision) := {
	"replicaSchedulingType": "Divided",
	"replicaDivisionPreference": "Weighted",
	"weightPreference": {"staticWeightList": [
	{"targetCluster": {"clusterNames": [name]}, "weight": max({1, _weight(preference)})} |
		some name, preference in decision.clusters
	]},
} if {
	data.io.k8s.federation.has_replicas(thing)
}

_karmada_spread_constraint(constraint) := object.union_n([
	{"spreadByField": constraint.by},
	{"minGroups": constraint.min | constraint.min},
	{"maxGroups": constraint.max | constraint.max},
])

# Its webhook refuses a spread by another field that has none by cluster beside it.
_added_cluster_spread(decision) := [{"spreadByField": "cluster", "minGroups": most} |
	decision.spread != []
	not "cluster" in {constraint.by | some constraint in decision.spread}
	most := max({1} | {constraint.min | some constraint in decision.spread})
]

# It lies in no namespace, so that its name has that of the object.
_cluster_wide_name(thing) := $"{thing.metadata.namespace}.{name}" if {
	_is_namespaced(thing)
	name := $"{thing.metadata.name}-{lower(thing.kind)}"
} else := $"{thing.metadata.name}-{lower(thing.kind)}"

_workload_rebalancers(thing, decision) := [{
	"apiVersion": "apps.karmada.io/v1alpha1",
	"kind": "WorkloadRebalancer",
	"metadata": {"name": _short_name(_cluster_wide_name(thing))},
	"spec": {"workloads": [_object_reference(thing)]},
} |
	decision.rebalance
	data.io.k8s.federation.has_replicas(thing)
]
