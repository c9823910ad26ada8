package io.k8s.federation_test

_strict := {"KFK-PLC-004": {"mode": "deny", "params": {}}}

_workload(name, annotations, labels) := {
	"apiVersion": "apps/v1",
	"kind": "Deployment",
	"metadata": {"name": name, "namespace": "shop", "annotations": annotations, "labels": labels},
	"spec": {"replicas": 2},
}

_eu_annotation := {_eu: "true"}

_propagation(selectors, placement) := {
	"apiVersion": "policy.karmada.io/v1alpha1",
	"kind": "PropagationPolicy",
	"metadata": {"name": "own", "namespace": "shop"},
	"spec": {"resourceSelectors": selectors, "placement": placement},
}

_selector(fields) := object.union({"apiVersion": "apps/v1", "kind": "Deployment"}, fields)

_named_web := [_selector({"name": "web"})]

_names(names) := {"clusterAffinity": {"clusterNames": names}}

_labelled_clusters := {
	"eu": {
		"metadata": {"labels": {"tier": "a", "old": ""}},
		"spec": {"provider": "p", "zones": ["europe-west1-b"]},
		"status": {"region": "europe-west1"},
	},
	"us": {
		"metadata": {"labels": {"tier": "b"}},
		"spec": {"provider": "q", "zone": "us-east1-b"},
		"status": {"region": "us-east1"},
	},
}

_stored_world := {
	"clusters": _labelled_clusters,
	"deployments": {
		"shop": {
			"web": _workload("web", _eu_annotation, {"app": "web"}),
			"free": _workload("free", {}, {"app": "free"}),
			"going": object.union(
				_workload("going", _eu_annotation, {"app": "going"}),
				{"metadata": {"deletionTimestamp": "2027-01-31T12:00:00Z"}},
			),
		},
		"pay": {"web": object.union(_workload("web", _eu_annotation, {}), {"metadata": {"namespace": "pay"}})},
	},
	"namespaces": {"shop": {
		"apiVersion": "v1",
		"kind": "Namespace",
		"metadata": {"name": "shop", "annotations": _eu_annotation},
	}},
}

_refusal(propagation, selected, clusters) := concat(" ", [
	$"KFK-PLC-004: {propagation} would have {selected} run on {clusters},",
	"where policy does not allow it",
])

_denials(thing, over, kubernetes) := object.get(_admit(thing, over, kubernetes, {}), "errors", [])

_web_in_us := [_refusal("PropagationPolicy shop/own", "Deployment shop/web", "us")]

# Placements of a policy that selects an object of the EU, and where it must not be by them.
test_placements_of_people[note] if {
	some note, tc in {
		"a cluster of the EU": {"placement": _names(["eu"]), "wrong": false},
		"another one": {"placement": _names(["eu", "us"]), "wrong": true},
		"all": {"placement": {}, "wrong": true},
		"all but": {"placement": {"clusterAffinity": {"exclude": ["us"]}}, "wrong": false},
		"an empty list": {"placement": _names([]), "wrong": true},
		"one of several groups": {
			"placement": {"clusterAffinities": [
				{"affinityName": "a", "clusterNames": ["eu"]},
				{"affinityName": "b", "clusterNames": ["us"]},
			]},
			"wrong": true,
		},
		"labels": {"placement": _labels({"tier": "a"}), "wrong": false},
		"labels of others": {"placement": _labels({"tier": "b"}), "wrong": true},
		"names that do not fit": {
			"placement": {"clusterAffinity": {"clusterNames": ["us"], "labelSelector": {"matchLabels": {"tier": "a"}}}},
			"wrong": false,
		},
		"in": {"placement": _expression({"key": "tier", "operator": "In", "values": ["a", "c"]}), "wrong": false},
		"not in": {"placement": _expression({"key": "tier", "operator": "NotIn", "values": ["a"]}), "wrong": true},
		"exists": {"placement": _expression({"key": "old", "operator": "Exists"}), "wrong": false},
		"does not exist": {"placement": _expression({"key": "old", "operator": "DoesNotExist"}), "wrong": true},
		"exists everywhere": {"placement": _expression({"key": "tier", "operator": "DoesNotExist"}), "wrong": false},
		"a provider": {"placement": _field_expression("provider", "In", ["p"]), "wrong": false},
		"not a provider": {"placement": _field_expression("provider", "NotIn", ["p"]), "wrong": true},
		"a zone": {"placement": _field_expression("zone", "In", ["europe-west1-b"]), "wrong": false},
		"another zone": {"placement": _field_expression("zone", "In", ["us-east1-b"]), "wrong": true},
	}
	expected := {true: _web_in_us, false: []}
	expected[tc.wrong] == _denials(_propagation(_named_web, tc.placement), _strict, _stored_world)
}

_labels(labels) := {"clusterAffinity": {"labelSelector": {"matchLabels": labels}}}

_expression(row) := {"clusterAffinity": {"labelSelector": {"matchExpressions": [row]}}}

_field_expression(key, operator, values) := {"clusterAffinity": {"fieldSelector": {"matchExpressions": [{
	"key": key,
	"operator": operator,
	"values": values,
}]}}}

test_a_cluster_that_nobody_knows if {
	_denials(_propagation(_named_web, _names(["mars"])), _strict, _stored_world) == [
		_refusal("PropagationPolicy shop/own", "Deployment shop/web", "mars"),
	]
}

# What is selected, of those that must be in the EU.
test_selectors_of_people[note] if {
	some note, tc in {
		"by name": {"selector": {"name": "web"}, "selected": ["Deployment shop/web"]},
		"by a label": {"selector": {"labelSelector": {"matchLabels": {"app": "web"}}}, "selected": ["Deployment shop/web"]},
		"by another label": {"selector": {"labelSelector": {"matchLabels": {"app": "free"}}}, "selected": []},
		"a name is before labels": {
			"selector": {"name": "web", "labelSelector": {"matchLabels": {"app": "free"}}},
			"selected": ["Deployment shop/web"],
		},
		"all of its namespace": {"selector": {}, "selected": ["Deployment shop/web"]},
		"of another namespace": {"selector": {"namespace": "pay"}, "selected": []},
		"of another version": {"selector": {"apiVersion": "apps/v1beta1"}, "selected": []},
		"what is not there": {"selector": {"name": "later"}, "selected": []},
		"no demand": {"selector": {"name": "free"}, "selected": []},
		"being deleted": {"selector": {"name": "going"}, "selected": []},
		"kinds of which none is there": {"selector": {"kind": "Ingress"}, "selected": []},
		"and others": {"selector": {"kind": "NetworkPolicy"}, "selected": []},
	}
	[_refusal("PropagationPolicy shop/own", selected, "us") | some selected in tc.selected] == _denials(
		_propagation([_selector(tc.selector)], _names(["us"])),
		_strict,
		_stored_world,
	)
}

# A type whose plural nobody can guess, and one that is replicated by another name.
test_selected_whatever_its_type_is_called[key] if {
	some key in ["gateways", "workloads"]
	gateway := object.union(_workload("web", _eu_annotation, {}), {"kind": "Gateway"})
	world := {"clusters": _labelled_clusters, key: {"shop": {"web": gateway}}}
	own := _propagation([_selector({"kind": "Gateway"})], _names(["us"]))
	_denials(own, _strict, world) == [_refusal("PropagationPolicy shop/own", "Gateway shop/web", "us")]
	everywhere := json.remove(object.union(own, {"kind": "ClusterPropagationPolicy"}), ["/metadata/namespace"])
	_denials(everywhere, _strict, world) == [_refusal("ClusterPropagationPolicy own", "Gateway shop/web", "us")]
}

test_a_policy_of_all_namespaces[note] if {
	some note, tc in {
		"all": {"selector": {}, "selected": ["Deployment pay/web", "Deployment shop/web"]},
		"one namespace": {"selector": {"namespace": "pay"}, "selected": ["Deployment pay/web"]},
		"of no namespace": {"selector": {"apiVersion": "v1", "kind": "Namespace"}, "selected": ["Namespace shop"]},
	}
	thing := {
		"apiVersion": "policy.karmada.io/v1alpha1",
		"kind": "ClusterPropagationPolicy",
		"metadata": {"name": "own"},
		"spec": {"resourceSelectors": [_selector(tc.selector)], "placement": _names(["us"])},
	}
	[_refusal("ClusterPropagationPolicy own", selected, "us") | some selected in tc.selected] == _denials(
		thing,
		_strict,
		_stored_world,
	)
}

# An object that comes later is decided by the policies that select it; what the remediator keeps is left out.
test_an_object_that_comes_later[note] if {
	some note, tc in {
		"selected": {"policies": {"propagationpolicies": {"shop": {"own": _everything_in_us}}}, "wrong": true},
		"in another namespace": {"policies": {"propagationpolicies": {"pay": {"own": _everything_in_us}}}, "wrong": false},
		"not selected": {
			"policies": {"propagationpolicies": {"shop": {"own": _propagation(_named_web, _names(["us"]))}}},
			"wrong": false,
		},
		"of the remediator": {
			"policies": {"propagationpolicies": {"shop": {"own": _kept("later-deployment", "0e9d")}}},
			"wrong": false,
		},
		"of the remediator's name and label": {
			"policies": {"propagationpolicies": {"shop": {"later-deployment": _labelled("later-deployment")}}},
			"wrong": true,
			"name": "later-deployment",
		},
		"of the remediator's, where there is none": {
			"policies": {"propagationpolicies": {"shop": {"later-deployment": _kept("later-deployment", "0e9d")}}},
			"wrong": true,
			"name": "later-deployment",
			"carriedKinds": [],
		},
		"for another object of the name": {
			"policies": {"propagationpolicies": {"shop": {"later-deployment": _kept("later-deployment", "1f0a")}}},
			"wrong": true,
			"name": "later-deployment",
		},
		"with the remediator's label": {
			"policies": {"propagationpolicies": {"shop": {"own": _kept("own", "0e9d")}}},
			"wrong": true,
		},
		"within policy": {
			"policies": {"propagationpolicies": {"shop": {"own": _propagation([_selector({})], _names(["eu"]))}}},
			"wrong": false,
		},
	}
	thing := object.union(_workload("later", _eu_annotation, {}), {"metadata": {"uid": "0e9d"}})
	policy := $"PropagationPolicy shop/{object.get(tc, "name", "own")}"
	expected := {true: [_refusal(policy, "Deployment shop/later", "us")], false: []}
	world := object.union(_stored_world, tc.policies)
	params := object.union(_params["KFK-PLC-001"].params, {"carriedKinds": object.get(tc, "carriedKinds", ["Job"])})
	over := object.union(_strict, {"KFK-PLC-001": {"mode": "deny", "params": params}})
	expected[tc.wrong] == _denials(thing, over, world)
	[] == _denials(_workload("later", {}, {}), over, world)
}

_labelled(name) := object.union(
	_everything_in_us,
	{"metadata": {"name": name, "labels": {"app.kubernetes.io/managed-by": "warden-remediator"}}},
)

_kept(name, uid) := object.union(_labelled(name), {"metadata": {"ownerReferences": [{"uid": uid}]}})

_everything_in_us := _propagation([_selector({})], _names(["us"]))

test_policies_of_all_namespaces_select_what_comes_later if {
	policy := object.union(_everything_in_us, {"kind": "ClusterPropagationPolicy", "metadata": {"name": "all"}})
	stored := json.remove(policy, ["/metadata/namespace"])
	world := object.union(_stored_world, {"clusterpropagationpolicies": {"all": stored}})
	_denials(_workload("later", _eu_annotation, {}), _strict, world) == [
		_refusal("ClusterPropagationPolicy all", "Deployment shop/later", "us"),
	]
}

test_policies_of_people_by_mode if {
	warn := {"KFK-PLC-004": {"mode": "warn", "params": {}}}
	_admit(_propagation(_named_web, _names(["us"])), warn, _stored_world, {}) == {
		"annotations": {},
		"warnings": _web_in_us,
	}
	_admit(_propagation(_named_web, _names(["us"])), {}, _stored_world, {}) == {"annotations": {}}
}

test_what_a_site_says_of_policies_of_people if {
	_admit(_propagation(_named_web, _names(["eu"])), _strict, _stored_world, {"errors": {"no"}}) == {
		"annotations": {},
		"errors": ["no"],
	}
}

# Kinds that a target carries may have demands without an annotation.
test_carried_kinds[note] if {
	some note, tc in {
		"none": {"kinds": [], "errors": 1},
		"others": {"kinds": ["Job"], "errors": 1},
		"this": {"kinds": ["Job", "StatefulSet"], "errors": 0},
		"all": {"kinds": ["*"], "errors": 0},
	}
	params := object.union(_params["KFK-PLC-001"].params, {"carriedKinds": tc.kinds})
	thing := object.union(_workload("db", _eu_annotation, {}), {"kind": "StatefulSet"})
	answer := _admit(thing, {"KFK-PLC-001": {"mode": "deny", "params": params}}, _stored_world, {})
	answer.annotations == {}
	tc.errors == count(object.get(answer, "errors", []))
}
