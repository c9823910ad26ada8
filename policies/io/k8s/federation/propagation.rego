package io.k8s.federation

import data.io.k8s.federation.render
import data.kafka.base.settings

# What people write for a target themselves: PropagationPolicies and ClusterPropagationPolicies of Karmada,
# ResourcePlacements and ClusterResourcePlacements of KubeFleet. They are decided by the objects that they select, as
# far as those are replicated under data.kubernetes.

# METADATA
# description: Whether an object is one by which people say to a target where others run.
is_propagation(thing) if {
	[group, _] := split(thing.apiVersion, "/")
	thing.kind in _propagation_kinds_by_group[group]
}

_propagation_kinds_by_group := {
	"policy.karmada.io": {"PropagationPolicy", "ClusterPropagationPolicy"},
	"placement.kubernetes-fleet.io": {"ResourcePlacement", "ClusterResourcePlacement"},
}

# METADATA
# description: The answer about such an object; what it selects must be allowed where it has it run.
propagation_answer(thing) := object.union_n([
	{"annotations": {}},
	{"errors": errors | errors != []},
	{"warnings": warnings | warnings != []},
]) if {
	params := settings.params("", "admission")
	violations := _violation_lines_by_effect("admission", {
		"operation": "Admission",
		"params": params,
		"object": _object_identity(thing),
		"placed": false,
		"policies": _config_map_policies_state(thing),
		"beyond": _forbidden_placements_of_propagation(thing, params),
	})
	said := site(thing)
	errors := sort(said.errors | violations.deny)
	warnings := sort(said.warnings | violations.warn)
}

# Of each object that it selects, the clusters where it must not run.
_forbidden_placements_of_propagation(propagation, params) := {row |
	params["KFK-PLC-004"]
	names := _propagation_clusters(propagation)
	some selector in _resource_selectors(propagation)
	some thing in _selected_things(selector, propagation)
	bounds := _placement_bounds(thing, params)
	row := _forbidden_placement(propagation, thing, names, bounds)
}

# Of each such object that is there and selects an object, the clusters where that must not run.
_forbidden_placements_of_object(thing, bounds, params) := {row |
	params["KFK-PLC-004"]
	_is_limited(bounds)
	some propagation in _candidate_propagations(thing, params)
	some selector in _resource_selectors(propagation)
	_is_selected(selector, thing)
	row := _forbidden_placement(propagation, thing, _propagation_clusters(propagation), bounds)
}

_candidate_propagations(thing, params) := [propagation |
	some propagation in array.concat(
		[row | some type in _propagation_resources.namespaced; some row in data.kubernetes[type][thing.metadata.namespace]],
		[row | some type in _propagation_resources.cluster; some row in data.kubernetes[type]],
	)
	not _is_kept_by_remediator(propagation, thing, params)
]

_propagation_resources := {
	"namespaced": ["propagationpolicies", "resourceplacements"],
	"cluster": ["clusterpropagationpolicies", "clusterresourceplacements"],
}

# What the remediator keeps for an object follows policy by itself, where the settings say that there is one. It names
# the object's uid: nobody can write one for an object yet to come, and one for an object that is there is decided.
_is_kept_by_remediator(propagation, thing, params) if {
	count(params["KFK-PLC-001"].carriedKinds) > 0
	labels := data.catalog.placement.carrierLabels
	object.filter(labels_of(propagation), object.keys(labels)) == labels
	propagation.metadata.name == render.name_for(thing)
	propagation.metadata.ownerReferences[_].uid == thing.metadata.uid
}

_forbidden_placement(propagation, thing, names, bounds) := {
	"propagation": _kind_and_name_text(propagation),
	"selected": _kind_and_name_text(thing),
	"clusters": sort(wrong),
} if {
	_is_limited(bounds)
	wrong := {name | some name in names; not _is_permitted(name, bounds)}
	wrong != set()
}

_kind_and_name_text(thing) := $"{thing.kind} {concat("/", parts)}" if {
	identity := _object_identity(thing)
	parts := [part | some part in [identity.namespace, identity.name]; part != ""]
}

# What an object that is there needs of clusters, and what the site's rules leave it.
_placement_bounds(thing, params) := {
	"needs": _cluster_needs(thing, _residency_rows(thing, object.get(params, ["KFK-PLC-001", "allowedByLabel"], {}))),
	"limits": site(thing).limits,
} if {
	not is_going(thing)
}

# What a policy of Karmada selects.
_resource_selectors(propagation) := propagation.spec.resourceSelectors if _is_of_karmada(propagation)

_is_of_karmada(propagation) if startswith(propagation.apiVersion, "policy.karmada.io/")

# The clusters that a policy of Karmada may have what it selects run on: those of all its groups; where it has none, all
# that there are.
_propagation_clusters(propagation) := {name |
	some affinity in _cluster_affinities(object.get(propagation.spec, "placement", {}))
	some name in _affinity_clusters(affinity)
	not name in object.get(affinity, "exclude", [])
	_can_match_cluster(affinity, name)
} if {
	_is_of_karmada(propagation)
}

_cluster_affinities(placement) := placement.clusterAffinities if {
	count(placement.clusterAffinities) > 0
} else := [object.get(placement, "clusterAffinity", {})]

_affinity_clusters(affinity) := affinity.clusterNames if {
	count(affinity.clusterNames) > 0
} else := _known_clusters

_known_clusters contains name if {
	some type in data.catalog.placement.clusterTypes
	some name, _ in data.kubernetes[type]
}

# Of a cluster that nobody knows, nobody knows that it does not fit.
_can_match_cluster(_, name) if not cluster(name)

_can_match_cluster(affinity, name) if {
	thing := cluster(name)
	_are_labels_selected(object.get(affinity, "labelSelector", {}), labels_of(thing))
	rows := object.get(affinity, ["fieldSelector", "matchExpressions"], [])
	every row in rows { _is_satisfied(row, _field_values(thing, row.key)) }
}

_field_values(thing, "zone") := {zone | some zone in thing.spec.zones} | {zone | zone := thing.spec.zone}

_field_values(thing, key) := {value | value := thing.spec[key]} if key != "zone"
