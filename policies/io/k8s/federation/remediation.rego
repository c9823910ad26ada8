package io.k8s.federation

import data.io.k8s.federation.render

# METADATA
# title: Remediation
# description: |
#   What mends a stored object after policy or clusters have changed. `input` is {"object": the object as it is stored,
#   "healthy": ready replicas by cluster, where known; else as the object's target says}; the result has the annotations
#   that differ, compared as what they mean, and the JSON merge patch that sets them; null where nothing differs, or
#   where errors forbid it. With a "target" (karmada, kubefleet, ocm) it has the `manifest` that the target is to have
#   for the object in place of annotations, null where policy is not about it; "present" is what the target has for it
#   now, by which an object without preferences stays where it is. An object that is being deleted stays as it is.
#   `needs` is for `touched`.
# entrypoint: true
default remediation := {
	"annotations": {},
	"patch": null,
	"errors": ["the input is missing: send object"],
	"warnings": [],
	"needs": [],
}

remediation := mended(input)

# METADATA
# title: Many remediations
# description: The remediation of each item of `input.items`, under its own key.
# entrypoint: true
remediations[key] := mended(item) if some key, item in input.items

# METADATA
# description: The remediation of one item, whatever it is.
mended(item) := {"annotations": {}, "patch": null, "errors": [], "warnings": [], "needs": []} if {
	is_going(item.object)
} else := {"annotations": {}, "patch": null, "errors": problems, "warnings": [], "needs": []} if {
	problems := sort(_item_problems(item))
	problems != []
} else := _target_remediation(item.target, item.object, decision) if {
	decision := decision_at("remediation", item.object, _stored_facts(item))
} else := {
	"annotations": differing,
	"patch": _merge_patch(item.object, differing, result.errors),
	"errors": result.errors,
	"warnings": result.warnings,
	"needs": decision.needs,
} if {
	not item.target
	decision := decision_at("remediation", item.object, _stored_facts(item))
	result := annotated(item.object, decision)
	stored := {key: meaning(value) | some key, value in annotations_of(item.object)}
	differing := {key: value |
		some key, value in result.annotations
		object.get(stored, key, null) != meaning(value)
	}
} else := {"annotations": {}, "patch": null, "errors": [_undecided_text], "warnings": [], "needs": []}

_stored_facts(item) := object.union(
	{"healthy": object.get(item, "healthy", ready_replicas(item.object))},
	{"clusters": clusters | clusters := render.carried_clusters(item.target, item.present)},
)

_target_remediation(target, thing, decision) := {
	"annotations": {},
	"patch": null,
	"manifest": _manifest_or_null(errors, carried.manifests),
	"errors": errors,
	"warnings": sort({warning | some warning in decision.warnings} | carried.warnings),
	"needs": decision.needs,
} if {
	carried := _rendered_result(target, thing, decision)
	errors := sort({error | some error in decision.errors} | _missing_manifest_errors(target, decision, carried))
}

_rendered_result(target, thing, decision) := render.carried(target, thing, decision) if decision.placed

_rendered_result(_, _, decision) := {"manifests": [], "warnings": set()} if not decision.placed

_manifest_or_null([], [manifest]) := manifest

_manifest_or_null([], []) := null

_manifest_or_null(errors, _) := null if errors != []

# A decision that the target cannot carry must not be passed over.
_missing_manifest_errors(target, decision, carried) := {concat(": ", array.concat([start], sort(carried.warnings))) |
	decision.placed
	carried.manifests == []
	start := $"{target} cannot carry where this object runs"
}

# The patch carries the version that was decided on, so that an object which changed meanwhile is refused with 409, and
# the uid, so that another object of the same name is refused too.
_merge_patch(thing, differing, []) := {"metadata": object.union(
	{"annotations": {key: _annotation_text(value) | some key, value in differing}},
	object.filter(thing.metadata, ["resourceVersion", "uid"]),
)} if {
	differing != {}
}

_merge_patch(_, differing, []) := null if differing == {}

_merge_patch(_, _, errors) := null if errors != []

_annotation_text(value) := value if is_string(value)

_annotation_text(value) := json.marshal(value) if not is_string(value)

_item_problems(item) := {"the item is not an object: send {\"object\": …}"} if {
	not is_object(item)
} else := union({
	{$"{field}: unknown field: use object, target, present and healthy" |
		some field in (object.keys(item) - {"object", "target", "present", "healthy"})
	},
	{$"target: {json.marshal(item.target)} is not one of {concat(", ", sort(object.keys(_carriers_by_target)))}" |
		not _carriers_by_target[item.target]
	},
	{$"object: {problem}" | some problem in object_problems(object.get(item, "object", null))},
	{"healthy: not an object of cluster names to numbers of ready replicas" |
		not _are_replica_counts(object.get(item, "healthy", {}))
	},
})

_carriers_by_target := data.catalog.placement.carriers

_are_replica_counts(healthy) if {
	is_object(healthy)
	every replicas in healthy { _is_natural_number(replicas) }
}
