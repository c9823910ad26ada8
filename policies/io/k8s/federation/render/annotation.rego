package io.k8s.federation.render

# METADATA
# description: The annotation of the design, clusters with their preferences and whether to rebalance.
_target_rendering("annotation", thing, decision) := {
	"manifests": [],
	"annotations": {key: object.filter(decision, ["clusters", "rebalance"]) |
		key := data.io.k8s.federation.preferences_key(thing)
	},
	"warnings": union({
		_inexpressible_warnings("the annotation", decision, {"tolerations": "tolerations", "spread": "spread constraints"}),
		{$"no annotation holds the placement of a {thing.kind}" | not data.io.k8s.federation.preferences_key(thing)},
	}),
}
