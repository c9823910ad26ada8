# METADATA
# title: Renderers
# description: |
#   A placement in the words of what carries it out. What a target cannot express is a warning, never passed over.
# scope: subpackages
package io.k8s.federation.render

# METADATA
# title: Rendered placement
# description: |
#   The placement of `input.object` for `input.target`: annotation, karmada, ocm, kubefleet or placementdecision. The
#   result has the `manifests` to apply, or for annotation the `annotations` to set; none where there are errors.
# entrypoint: true
default rendered := {
	"manifests": [],
	"annotations": {},
	"errors": ["the input is missing: send object and target"],
	"warnings": [],
}

rendered := {"manifests": [], "annotations": {}, "errors": problems, "warnings": []} if {
	problems := sort(_input_problems(input))
	problems != []
} else := {
	"manifests": result.manifests,
	"annotations": result.annotations,
	"errors": [],
	"warnings": sort({warning | some warning in decision.warnings} | result.warnings),
} if {
	decision := data.io.k8s.federation.neutral_decision(input.object)
	decision.errors == []
	decision.placed
	result := _rendering(input.target, input.object, decision)
} else := {"manifests": [], "annotations": {}, "errors": decision.errors, "warnings": _decision_warnings(decision)} if {
	decision := data.io.k8s.federation.neutral_decision(input.object)
}

_decision_warnings(decision) := array.concat(decision.warnings, decision.reasons) if not decision.placed

_decision_warnings(decision) := decision.warnings if decision.placed

_targets := {"annotation", "placementdecision"} | object.keys(data.catalog.placement.carriers)

_input_problems(document) := {"the input is not an object: send object and target"} if {
	not is_object(document)
} else := union({
	{$"{field}: unknown field: use object and target" | some field in (object.keys(document) - {"object", "target"})},
	{$"target: {json.marshal(object.get(document, "target", null))} is not one of {concat(", ", sort(_targets))}" |
		not object.get(document, "target", null) in _targets
	},
	{"object is missing: give the Kubernetes object" | not "object" in object.keys(document)},
	{"object.metadata.name is missing: without it a target would select every object of its kind" |
		document.target in (_targets - {"annotation"})
		is_object(document.object.metadata)
		object.get(document.object.metadata, "name", "") == ""
	},
})

# To a target, a list of no clusters may mean all of them. The file of each target has its `_target_rendering`.
_rendering("annotation", thing, decision) := _target_rendering("annotation", thing, decision)

_rendering(target, thing, decision) := object.union(result, {"warnings": (result.warnings | idle)}) if {
	target != "annotation"
	running := data.io.k8s.federation.running_clusters(thing, decision.clusters)
	idle := {$"{name} gets no replicas: it is left out" |
		some name in (object.keys(decision.clusters) - object.keys(running))
	}
	result := _rendering_in(running, target, thing, decision)
}

_rendering_in(clusters, target, thing, decision) := _target_rendering(target, thing, reduced) if {
	not _has_no_cluster_left(target, clusters)
	reduced := object.union(object.remove(decision, ["clusters"]), {"clusters": clusters})
} else := {
	"manifests": [],
	"annotations": {},
	"warnings": {$"no cluster is left for {target}, and an empty list could mean all of them: nothing is rendered"},
}

_has_no_cluster_left(target, {}) if data.catalog.placement.carriers[target]

# What every target has to express, or say that it cannot.

_inexpressible_warnings(target, decision, fields) := {$"{target} cannot express {text}" |
	some field, text in fields
	_is_used(field, decision)
}

_is_used("minReplicas", decision) if decision.clusters[_].minReplicas

_is_used("maxReplicas", decision) if decision.clusters[_].maxReplicas

# Equal weights say nothing.
_is_used("weight", decision) if count({_weight(preference) | some preference in decision.clusters}) > 1

_is_used("tolerations", decision) if decision.tolerations != []

_is_used("spread", decision) if decision.spread != []

_is_used("rebalance", decision) if decision.rebalance

_weight(preference) := object.get(preference, "weight", 0)

_cluster_names(decision) := sort(object.keys(decision.clusters))

# The name and namespace of what is made for an object. Names are values of labels too, which have 63 characters at
# most; the hash of what is cut or replaced keeps them apart.
_manifest_metadata(thing) := object.filter(
	{
		"name": _short_name($"{thing.metadata.name}-{lower(thing.kind)}"),
		"namespace": object.get(thing.metadata, "namespace", null),
	},
	{"name"} | {"namespace" | is_string(thing.metadata.namespace)},
)

_short_name(name) := name if {
	regex.match(`^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`, name)
} else := $"{trim_right(start, ".-")}-{substring(crypto.sha256(name), 0, 8)}" if {
	start := substring(trim_left(regex.replace(lower(name), `[^a-z0-9.-]`, "-"), ".-"), 0, 54)
}

_is_namespaced(thing) if is_string(thing.metadata.namespace)

_object_reference(thing) := object.union(
	{"apiVersion": thing.apiVersion, "kind": thing.kind},
	object.filter(thing.metadata, ["name", "namespace"]),
)
