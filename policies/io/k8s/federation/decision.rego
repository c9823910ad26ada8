package io.k8s.federation

import data.kafka.base.settings

# METADATA
# title: Placement
# description: |
#   The decision about the object in `input` in terms of no scheduler: `clusters` by name with weight, minReplicas and
#   maxReplicas, `rebalance`, `tolerations`, `spread`, and the `reasons`. `placed` is false where no policy is about it.
# entrypoint: true
default placement := {
	"placed": false,
	"clusters": {},
	"rebalance": false,
	"tolerations": [],
	"spread": [],
	"reasons": [],
	"errors": ["the input is missing: send the Kubernetes object"],
	"warnings": [],
}

placement := neutral_decision(input)

# METADATA
# description: The neutral decision about any value; what cannot be read, or decided, has errors and no clusters.
neutral_decision(thing) := object.remove(decision_at("admission", thing, {}), ["needs", "said"]) if {
	object_problems(thing) == set()
} else := {
	"placed": false,
	"clusters": {},
	"rebalance": false,
	"tolerations": [],
	"spread": [],
	"reasons": [],
	"errors": [error | some error in sort(_undecided_errors(thing))],
	"warnings": [],
}

_undecided_errors(thing) := problems if {
	problems := object_problems(thing)
	problems != set()
} else := {_undecided_text}

# METADATA
# description: |
#   Where an object that can be read goes, at an enforcement point (admission, remediation). Of one that is `stored`,
#   `healthy` has the ready replicas by cluster and `clusters` those that its target has for it, where they are known.
#   What the site says besides is under `said`, and what the object needs of clusters under `needs`.
decision_at(enforcement_point, thing, stored) := {
	"placed": placed,
	"clusters": clusters,
	"rebalance": _rebalance(wish),
	"tolerations": array.concat(annotation_list(thing, "tolerations"), sort(said.tolerations)),
	"spread": array.concat(annotation_list(thing, "spread"), sort(said.spread)),
	"reasons": sort(_reasons(thing, residency, wish, clusters, said, placed) | violations.waived),
	"errors": sort(union({
		said.errors,
		_invalid_cluster_errors(enforcement_point, thing, use, wish, allowed),
		_unready_cluster_errors(enforcement_point, thing, wish, allowed),
		unmet,
		_repeated_spread_errors(thing, said),
		violations.deny,
	})),
	"warnings": sort(union({said.warnings, violations.warn, _unread_annotation_warnings(thing)})),
	"said": said,
	"needs": allowed.needs,
} if {
	said := site(thing)
	params := settings.params("", enforcement_point)
	residency := _residency_rows(thing, object.get(params, ["KFK-PLC-001", "allowedByLabel"], {}))
	allowed := {
		"needs": _cluster_needs(thing, residency),
		"limits": said.limits,
	}
	placed := [allowed.needs, allowed.limits, said.required] != [[], [], set()]
	use := object.get(params, ["KFK-PLC-001", "use"], "may")
	wish := _wish(thing, stored)
	chosen := _chosen_clusters(enforcement_point, thing, use, wish, allowed, placed)
	clusters := object.union({name: {"weight": 1} | some name in said.required; _is_permitted(name, allowed)}, chosen)
	unmet := {$"cluster {name} is required by this site's rules, and not allowed" |
		some name in said.required
		not _is_permitted(name, allowed)
	}
	violations := _violation_lines_by_effect(enforcement_point, {
		"operation": _operation_by_enforcement_point[enforcement_point],
		"params": params,
		"object": _object_identity(thing),
		"demanded": demand_texts(thing),
		"residency": residency,
		"placed": placed,
		"known": {true | has_clusters} == {true},
		"policies": _config_map_policies_state(thing),
		"clusters": running_clusters(thing, clusters),
		"healthy": object.get(stored, "healthy", {}),
		"beyond": _forbidden_placements_of_object(thing, allowed, params),
	})
}

# What the replicator says of the policies of ConfigMaps: those about this object that have to be mended, first.
_config_map_policies_state(thing) := {"state": "broken", "names": names} if {
	scopes := {"*", object.get(thing.metadata, "namespace", "")}
	names := {name | some scope in scopes; some name in data.site.loaded.closed[scope]}
	names != set()
} else := {"state": "whole"} if {
	data.site.loaded
} else := {"state": "none"}

# A rule of the site's and the object must not both say how it is spread by the same.
_repeated_spread_errors(thing, said) := {message |
	constraints := array.concat(annotation_list(thing, "spread"), sort(said.spread))
	some by in {constraint.by | some constraint in constraints}
	n := count([constraint | some constraint in constraints; constraint.by == by])
	n > 1
	message := $"spread: the object and this site's rules have {n} constraints by {by}, one is taken"
}

_operation_by_enforcement_point := {"admission": "Admission", "remediation": "Remediation"}

# The labels of an object that say where its data may be, and the regions that its value allows; none for a value that
# the settings do not know.
_residency_rows(thing, by_label) := [row |
	some label, rows in by_label
	value := labels_of(thing)[label]
	row := {"label": label, "value": value, "patterns": object.get(rows, value, []), "known": object.keys(rows)}
]

# Federation reads a missing `rebalance` as false; where nothing
# is requested, the policy has its clusters balanced.
_rebalance(null) := true

_rebalance(wish) := object.get(wish, "rebalance", false) if wish != null

_reasons(thing, residency, wish, clusters, said, true) := union({
	{$"demanded: {demand}" | some demand in demand_texts(thing)},
	{$"label {row.label}={row.value} allows regions {concat(", ", row.patterns)}" | some row in residency},
	{$"not allowed: {name}" | some name in (object.keys(_clusters_of(wish)) - object.keys(clusters))},
	{$"the site's rules are about it: {why}" | some why in said.about; why != "true"},
	{$"the site's rules leave {concat(", ", sort(limit))}" | some limit in said.limits},
})

_reasons(_, _, _, _, _, false) := {"no policy is about this object"}

_object_identity(thing) := {
	"kind": thing.kind,
	"namespace": object.get(thing.metadata, "namespace", ""),
	"name": object.get(thing.metadata, "name", object.get(thing.metadata, "generateName", "")),
}
