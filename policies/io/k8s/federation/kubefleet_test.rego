package io.k8s.federation_test

_fleet(kind, metadata, spec) := {
	"apiVersion": "placement.kubernetes-fleet.io/v1beta1",
	"kind": kind,
	"metadata": metadata,
	"spec": spec,
}

_fleet_selector(fields) := object.union({"group": "apps", "version": "v1", "kind": "Deployment"}, fields)

_namespace_selector(fields) := object.union({"group": "", "version": "v1", "kind": "Namespace"}, fields)

_picks(names) := {"placementType": "PickFixed", "clusterNames": names}

_own_placement(selector, policy) := _fleet(
	"ResourcePlacement",
	{"name": "own", "namespace": "shop"},
	{"resourceSelectors": [selector], "policy": policy},
)

_placement_of_all(selector, policy) := _fleet(
	"ClusterResourcePlacement",
	{"name": "own"},
	{"resourceSelectors": [selector], "policy": policy},
)

_affinity(terms) := {
	"placementType": "PickAll",
	"affinity": {"clusterAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"clusterSelectorTerms": terms}}},
}

_term(labels) := {"labelSelector": {"matchLabels": labels}}

test_clusters_that_a_placement_picks[note] if {
	some note, tc in {
		"a cluster of the EU": {"policy": _picks(["eu"]), "wrong": false},
		"another one": {"policy": _picks(["eu", "us"]), "wrong": true},
		"all": {"policy": {"placementType": "PickAll"}, "wrong": true},
		"some of all": {"policy": {"placementType": "PickN", "numberOfClusters": 1}, "wrong": true},
		"labels": {"policy": _affinity([_term({"tier": "a"})]), "wrong": false},
		"labels of others": {"policy": _affinity([_term({"tier": "b"})]), "wrong": true},
		"one of several terms": {"policy": _affinity([_term({"tier": "a"}), _term({"tier": "b"})]), "wrong": true},
		"no term": {"policy": _affinity([]), "wrong": true},
		"properties, which change": {
			"policy": _affinity([{"propertySelector": {"matchExpressions": [_more_than_nine]}}]),
			"wrong": true,
		},
	}
	expected := {true: [_refusal("ResourcePlacement shop/own", "Deployment shop/web", "us")], false: []}
	expected[tc.wrong] == _denials(_own_placement(_fleet_selector({"name": "web"}), tc.policy), _strict, _stored_world)
}

_more_than_nine := {"name": "n", "operator": "Gt", "values": ["9"]}

test_a_placement_without_a_policy_is_everywhere if {
	whole := _own_placement(_fleet_selector({"name": "web"}), {})
	_denials(json.remove(whole, ["/spec/policy"]), _strict, _stored_world) == [
		_refusal("ResourcePlacement shop/own", "Deployment shop/web", "us"),
	]
}

# What is selected, of those that must be in the EU.
test_what_a_placement_of_all_namespaces_selects[note] if {
	some note, tc in {
		"objects by name": {
			"selector": _fleet_selector({"name": "web"}),
			"selected": ["Deployment pay/web", "Deployment shop/web"],
		},
		"an object with a namespace's name": {"selector": _fleet_selector({"name": "shop"}), "selected": []},
		"of another group": {"selector": _fleet_selector({"group": "", "name": "web"}), "selected": []},
		"a namespace": {"selector": _namespace_selector({"name": "pay"}), "selected": ["Deployment pay/web"]},
		"one that must be there too": {
			"selector": _namespace_selector({"name": "shop"}),
			"selected": ["Deployment shop/web", "Namespace shop"],
		},
		"the namespace alone": {
			"selector": _namespace_selector({"name": "shop", "selectionScope": "NamespaceOnly"}),
			"selected": ["Namespace shop"],
		},
		"a namespace, and what others select there": {
			"selector": _namespace_selector({"name": "shop", "selectionScope": "NamespaceWithResourceSelectors"}),
			"selected": ["Namespace shop"],
		},
		"namespaces by a label": {
			"selector": _namespace_selector({"labelSelector": {"matchLabels": {"team": "shop"}}}),
			"selected": ["Deployment pay/web", "Deployment shop/web", "Namespace shop"],
		},
		"by another label, and those that nobody knows": {
			"selector": _namespace_selector({"labelSelector": {"matchLabels": {"team": "pay"}}}),
			"selected": ["Deployment pay/web"],
		},
		"a namespace that is not there": {"selector": _namespace_selector({"name": "later"}), "selected": []},
	}
	labels := {"namespaces": {"shop": {"metadata": {"labels": {"team": "shop"}}}}}
	[_refusal("ClusterResourcePlacement own", selected, "us") | some selected in tc.selected] == _denials(
		_placement_of_all(tc.selector, _picks(["us"])),
		_strict,
		object.union(_stored_world, labels),
	)
}

# The other selectors of such a placement select there, and what lies in no namespace.
test_what_is_selected_in_a_namespace[note] if {
	some note, tc in {
		"an object there": {"selector": _fleet_selector({"name": "web"}), "selected": ["Deployment shop/web"]},
		"another kind": {"selector": _fleet_selector({"kind": "Job"}), "selected": []},
		"a cluster's role": {
			"selector": {"group": "rbac.authorization.k8s.io", "version": "v1", "kind": "ClusterRole"},
			"selected": ["ClusterRole admin"],
		},
	}
	role := {
		"apiVersion": "rbac.authorization.k8s.io/v1",
		"kind": "ClusterRole",
		"metadata": {"name": "admin", "annotations": _eu_annotation},
	}
	scope := _namespace_selector({"name": "shop", "selectionScope": "NamespaceWithResourceSelectors"})
	placement := _fleet(
		"ClusterResourcePlacement",
		{"name": "own"},
		{"resourceSelectors": [scope, tc.selector], "policy": _picks(["us"])},
	)
	[_refusal("ClusterResourcePlacement own", selected, "us") | some selected in sort(tc.selected)] == _denials(
		placement,
		_strict,
		object.union(json.remove(_stored_world, ["/namespaces"]), {"clusterroles": {"admin": role}}),
	)
}

# An object that comes later is decided by the placements that select it.
test_an_object_that_a_placement_selects[note] if {
	some note, tc in {
		"of its namespace": {
			"stored": {"resourceplacements": {"shop": {"own": _own_placement(_fleet_selector({}), _picks(["us"]))}}},
			"title": "ResourcePlacement shop/own",
		},
		"of its namespace as a whole": {
			"stored": {"clusterresourceplacements": {"own": _placement_of_all(
				_namespace_selector({"name": "shop"}),
				_picks(["us"]),
			)}},
			"title": "ClusterResourcePlacement own",
		},
		"of another one": {
			"stored": {"clusterresourceplacements": {"own": _placement_of_all(
				_namespace_selector({"name": "pay"}),
				_picks(["us"]),
			)}},
			"title": null,
		},
		"not of all kinds there": {
			"stored": {"clusterresourceplacements": {"own": _placement_of_all(
				_namespace_selector({"name": "shop", "selectionScope": "NamespaceWithResourceSelectors"}),
				_picks(["us"]),
			)}},
			"title": null,
		},
	}
	thing := _workload("later", _eu_annotation, {})
	expected := [_refusal(tc.title, "Deployment shop/later", "us") | tc.title != null]
	expected == _denials(thing, _strict, object.union(_stored_world, tc.stored))
}
