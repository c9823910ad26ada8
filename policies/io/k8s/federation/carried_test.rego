package io.k8s.federation_test

import data.io.k8s.federation

_west := ["gce-europe-west1", "gce-europe-west2"]

# An object as it is stored, for a target.
_carry(target, thing) := object.remove(result, ["needs"]) if {
	stored := object.union(thing, {"metadata": {"uid": "0e9d"}})
	result := federation.remediation with input as {"object": stored, "target": target}
		with data.kubernetes as _kubernetes
		with data.site.placement as {}
		with data.settings.compiled as _settings({})
}

_owned := {
	"labels": {"app.kubernetes.io/managed-by": "warden-remediator"},
	"ownerReferences": [{
		"apiVersion": "extensions/v1beta1",
		"kind": "ReplicaSet",
		"name": "nginx-eu",
		"uid": "0e9d",
	}],
}

test_what_a_target_is_to_have if {
	answer := _carry("karmada", _object(_demands, {}))
	object.remove(answer, ["manifest"]) == {"annotations": {}, "patch": null, "errors": [], "warnings": []}
	answer.manifest.kind == "PropagationPolicy"
	answer.manifest.metadata == object.union(_owned, {"name": "nginx-eu-replicaset", "namespace": "default"})
	answer.manifest.spec.placement.clusterAffinity == {"clusterNames": _west}
	count(answer.manifest.spec.placement.replicaScheduling.weightPreference.staticWeightList) == 2
}

# Every target has a kind for objects of a namespace; Placements of OCM lie in one.
test_kinds_of_targets[target] if {
	some target, kinds in {
		"karmada": ["PropagationPolicy", "ClusterPropagationPolicy"],
		"kubefleet": ["ResourcePlacement", "ClusterResourcePlacement"],
		"ocm": ["Placement", null],
	}
	things := [_object(_demands, {}), json.remove(_object(_demands, {}), ["/metadata/namespace"])]
	kinds == [object.get(_carry(target, thing), ["manifest", "kind"], null) | some thing in things]
}

test_what_a_target_cannot_carry if {
	answer := _carry("ocm", json.remove(_object(_demands, {}), ["/metadata/namespace"]))
	[answer.manifest, answer.errors] == [null, [concat(": ", [
		"ocm cannot carry where this object runs",
		"a Placement of OCM lies in a namespace: give it one",
	])]]
}

# Kinds without an annotation are placed too.
test_other_kinds_in_a_target[kind] if {
	some kind in ["StatefulSet", "Job", "CronJob", "DaemonSet", "Service", "Kafka"]
	thing := object.union(_object(_demands, {}), {"kind": kind})
	answer := _carry("karmada", thing)
	answer.errors == []
	answer.manifest.spec.resourceSelectors[0].kind == kind
}

# What has no preferences stays where its target has it, on clusters that are not ready too, and others are added only
# where none is left.
test_stays_where_its_target_has_it[note] if {
	some note, tc in {
		"not ready": {"clusters": _west, "use": "may", "expected": _west},
		"fewer than there are": {"clusters": ["gce-europe-west2"], "use": "may", "expected": ["gce-europe-west2"]},
		"off one that is no longer allowed": {
			"clusters": ["gce-europe-west2", "gce-us-east1"],
			"use": "may",
			"expected": ["gce-europe-west2"],
		},
		"nowhere left": {"clusters": ["gce-us-east1"], "use": "may", "expected": ["gce-europe-west2"]},
		"nothing there": {"clusters": [], "use": "may", "expected": ["gce-europe-west2"]},
		"must": {"clusters": ["gce-europe-west1"], "use": "must", "expected": _west},
	}
	some target, path in {
		"karmada": ["spec", "placement", "clusterAffinity", "clusterNames"],
		"kubefleet": ["spec", "policy", "clusterNames"],
		"ocm": ["spec", "predicates", 0, "requiredClusterSelector", "celSelector", "celExpressions", 0],
	}
	use := object.union(_params["KFK-PLC-001"].params, {"use": tc.use})
	item := {
		"object": object.union(_object(_demands, {}), {"kind": "StatefulSet", "metadata": {"uid": "0e9d"}}),
		"target": target,
		"present": json.patch(_carry(target, _object(_demands, {})).manifest, [{
			"op": "replace",
			"path": concat("/", array.concat([""], [$"{part}" | some part in path])),
			"value": _named_in(target, tc.clusters),
		}]),
	}
	answer := federation.remediation with input as item
		with data.kubernetes as _first_is_unready
		with data.site.placement as {}
		with data.settings.compiled as _settings({"KFK-PLC-001": {"mode": "deny", "params": use}})
	answer.errors == []
	walk(answer.manifest, [path, _named_in(target, tc.expected)])
}

_named_in("ocm", names) := $"managedCluster.metadata.name in {json.marshal(names)}"

_named_in(target, names) := names if target != "ocm"

_first_is_unready := object.union(_kubernetes, {"clusters": {"gce-europe-west1": {"status": {"conditions": [{
	"type": "Ready",
	"status": "False",
}]}}}})

test_what_an_object_asks_for_is_before_its_target if {
	item := {
		"object": object.union(_stored(_two), {"metadata": {"uid": "0e9d"}}),
		"target": "karmada",
		"present": {"spec": {"placement": {"clusterAffinity": {"clusterNames": ["gce-europe-west1"]}}}},
	}
	_mend(item, {}).manifest.spec.placement.clusterAffinity.clusterNames == _west
}

# A Placement of OCM that says otherwise where it is, as people may write it, says nothing.
test_a_placement_that_is_not_rendered_here if {
	selector := {"celSelector": {"celExpressions": ["managedCluster.metadata.name == 'gce-europe-west2'"]}}
	item := {
		"object": object.union(_object(_demands, {}), {"metadata": {"uid": "0e9d"}}),
		"target": "ocm",
		"present": {"spec": {"predicates": [{"requiredClusterSelector": selector}]}},
	}
	_mend(item, {}).manifest.spec.numberOfClusters == 2
}

test_nothing_for_a_target[note] if {
	some note, tc in {
		"not under policy": {"object": _object({}, {}), "errors": []},
		"nowhere left": {"object": _object({_pci: "9"}, {}), "errors": [
			sprintf("KFK-PLC-001: no cluster is left for ReplicaSet default/nginx-eu: %s=9", [_pci]),
			"KFK-PLC-002: only 0 of at least 1 clusters are left",
			concat(": ", [
				"karmada cannot carry where this object runs",
				"no cluster is left for karmada, and an empty list could mean all of them: nothing is rendered",
			]),
		]},
	}
	answer := _carry("karmada", tc.object)
	[answer.manifest, answer.errors] == [null, tc.errors]
}

test_a_target_that_is_none if {
	_mend({"object": _object({}, {}), "target": "kueue"}, {}).errors == [
		"target: \"kueue\" is not one of karmada, kubefleet, ocm",
	]
}
