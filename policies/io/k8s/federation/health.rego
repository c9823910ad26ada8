package io.k8s.federation

import data.io.k8s.federation.render

# METADATA
# description: |
#   In how many replicas an object is ready, by cluster, as its target says; {} where none does. Karmada says it in the
#   ResourceBinding of the object (work.karmada.io/v1alpha2), in the words of its kind. KubeFleet says in the
#   ResourcePlacement that is rendered for the object (placement.kubernetes-fleet.io) where it is available, which
#   counts as one replica. Either counts where it is replicated to data.kubernetes.
ready_replicas(thing) := object.union(_karmada_ready_replicas(thing), _kubefleet_ready_replicas(thing))

_karmada_ready_replicas(thing) := {row.clusterName: max(counts) |
	name := lower($"{thing.metadata.name}-{thing.kind}")
	binding := data.kubernetes.resourcebindings[thing.metadata.namespace][name]
	[binding.spec.resource.kind, binding.spec.resource.name] == [thing.kind, thing.metadata.name]
	rows := binding.status.aggregatedStatus
	some row in rows
	counts := [_ready_count(other) | some other in rows; other.clusterName == row.clusterName]
}

_kubefleet_ready_replicas(thing) := {row.clusterName: _available_count(row) |
	placement := data.kubernetes.resourceplacements[thing.metadata.namespace][render.name_for(thing)]
	some row in placement.status.placementStatuses
}

_ready_count(row) := max({0} | {replicas |
	some field in data.catalog.placement.readyReplicas
	replicas := row.status[field]
	_is_natural_number(replicas)
})

_available_count(row) := 1 if {
	some condition in row.conditions
	[condition.type, condition.status] == ["Available", "True"]
} else := 0
