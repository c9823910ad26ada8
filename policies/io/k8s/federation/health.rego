package io.k8s.federation

# METADATA
# description: |
#   In how many replicas an object is ready, by cluster, as its target says; {} where none does. Karmada says it in the
#   ResourceBinding of the object (work.karmada.io/v1alpha2), where these are replicated to data.kubernetes.
ready_replicas(thing) := {row.clusterName: max(counts) |
	name := lower($"{thing.metadata.name}-{thing.kind}")
	binding := data.kubernetes.resourcebindings[thing.metadata.namespace][name]
	[binding.spec.resource.kind, binding.spec.resource.name] == [thing.kind, thing.metadata.name]
	rows := binding.status.aggregatedStatus
	some row in rows
	counts := [_ready(other) | some other in rows; other.clusterName == row.clusterName]
}

_ready(row) := replicas if {
	replicas := row.status.readyReplicas
	_whole(replicas)
} else := 0
