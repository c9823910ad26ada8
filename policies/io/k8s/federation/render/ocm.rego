package io.k8s.federation.render

# METADATA
# description: |
#   Open Cluster Management (cluster.open-cluster-management.io/v1beta1): it picks clusters and knows no replicas.
_target_rendering("ocm", thing, decision) := {
	"manifests": [{
		"apiVersion": "cluster.open-cluster-management.io/v1beta1",
		"kind": "Placement",
		"metadata": _manifest_metadata(thing),
		"spec": object.union_n([
			{
				"numberOfClusters": count(decision.clusters),
				"predicates": [{"requiredClusterSelector": {"celSelector": {"celExpressions": [_cluster_expression(decision)]}}}],
			},
			{"prioritizerPolicy": policy | policy := _steady_prioritizer_policy(decision)},
			{"tolerations": tolerations | tolerations := _ocm_tolerations(decision); tolerations != []},
			{"spreadPolicy": {"spreadConstraints": constraints} |
				constraints := _ocm_spread_constraints(decision)
				constraints != []
			},
		]),
	}],
	"annotations": {},
	"warnings": union({
		_inexpressible_warnings("OCM", decision, {
			"weight": "weights: it picks clusters and does not divide replicas",
			"minReplicas": "minReplicas of a cluster",
			"maxReplicas": "maxReplicas of a cluster",
		}),
		{$"OCM cannot express a toleration of effect {effect}" |
			some toleration in decision.tolerations
			effect := toleration.effect
			not _ocm_effect_by_effect[effect]
		},
		{"OCM cannot express least and most of a spread constraint: it has the greatest skew" |
			some constraint in decision.spread
			some field in ["min", "max"]
			constraint[field]
		},
		{"a Placement of OCM lies in a namespace: give it one" | not _is_namespaced(thing)},
	}),
}

_cluster_expression(decision) := concat("", [_cluster_expression_start, json.marshal(_cluster_names(decision))])

_cluster_expression_start := "managedCluster.metadata.name in "

# Not to rebalance is to stay with the clusters that were chosen.
_steady_prioritizer_policy(decision) := {
	"mode": "Additive",
	"configurations": [{"scoreCoordinate": {"type": "BuiltIn", "builtIn": "Steady"}, "weight": _greatest_weight}],
} if {
	not decision.rebalance
}

_greatest_weight := data.catalog.placement.ocm.greatestWeight

_ocm_effect_by_effect := data.catalog.placement.ocm.effects

_ocm_tolerations(decision) := [object.union(object.remove(toleration, ["effect"]), _ocm_effect_field(toleration)) |
	some toleration in decision.tolerations
	_ocm_effect_field(toleration)
]

_ocm_effect_field(toleration) := {"effect": _ocm_effect_by_effect[toleration.effect]} if toleration.effect

_ocm_effect_field(toleration) := {} if not toleration.effect

_ocm_spread_constraints(decision) := [{
	"topologyKey": data.catalog.placement.spreadBy[constraint.by],
	"topologyKeyType": "Label",
	"maxSkew": 1,
	"whenUnsatisfiable": "ScheduleAnyway",
} |
	some constraint in decision.spread
	constraint.by != "cluster"
]
