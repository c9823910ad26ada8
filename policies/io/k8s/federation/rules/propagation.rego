package io.k8s.federation.rules

import data.kafka.violation

# METADATA
# title: What people write for Karmada and KubeFleet stays within policy
# description: |
#   A PropagationPolicy or ClusterPropagationPolicy of Karmada, a ResourcePlacement or ClusterResourcePlacement of
#   KubeFleet names, or selects by label, clusters that policy allows for every object that it selects. It is decided
#   when it is written, by the objects that are replicated, and again when an object comes that it selects; those that
#   the remediator keeps follow policy by themselves.
# related_resources:
#   - https://karmada.io/docs/userguide/scheduling/propagation-policy
#   - https://kubefleet.dev/docs/concepts/crp/
# custom:
#   id: KFK-PLC-004
#   severity: high
#   operations: [Admission]
#   params: {}
#   message: "{propagation} would have {selected} run on {clusters}, where policy does not allow it"
#   fix: name only clusters that policy allows for all that it selects, or leave the placement to policy
deny contains violation.new(rego.metadata.rule(), args, ["spec", "placement"], []) if {
	input.operation == "Admission"
	input.params["KFK-PLC-004"]
	some row in input.beyond
	names := concat(", ", row.clusters)
	args := {"propagation": row.propagation, "selected": row.selected, "clusters": names}
}
