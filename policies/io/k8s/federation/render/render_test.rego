package io.k8s.federation.render_test

import data.io.k8s.federation.render
import data.kafka.fixtures_test as fixtures

_pci := "policy.federation.alpha.kubernetes.io/pci-compliance-level"

_policy := "policy.federation.alpha.kubernetes.io"

_clusters[name] := {"metadata": {"labels": {"pci-compliance-level": "2"}}, "status": {"region": "europe-west1"}} if {
	some name in ["a", "b"]
}

_object(annotations) := {
	"apiVersion": "apps/v1",
	"kind": "ReplicaSet",
	"metadata": {"name": "nginx", "namespace": "web", "annotations": object.union({_pci: "2"}, annotations)},
	"spec": {"replicas": 4},
}

# What every target has to express, and what the simplest placement is.
_everything := _object({
	"federation.kubernetes.io/replica-set-preferences": json.marshal({"clusters": {
		"a": {"weight": 2, "minReplicas": 1},
		"b": {"weight": 1, "maxReplicas": 3},
	}}),
	$"{_policy}/tolerations": json.marshal([
		{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"},
		{"key": "old", "operator": "Exists", "effect": "NoExecute"},
		{"key": "x", "operator": "Exists"},
	]),
	$"{_policy}/spread": json.marshal([{"by": "region", "min": 1, "max": 2}, {"by": "cluster"}]),
})

_plain := _object({})

_rendered(target, thing) := result if {
	result := render.rendered with input as {"object": thing, "target": target}
		with data.kubernetes as {"clusters": _clusters}
		with data.site as {}
		with data.settings.compiled as fixtures.compiled({
			"rules": {},
			"clusters": [],
			"enforcementPoints": {},
			"waivers": [],
		})
}

test_annotation if {
	_rendered("annotation", _plain) == {
		"manifests": [],
		"annotations": {"federation.kubernetes.io/replica-set-preferences": {
			"clusters": {"a": {"weight": 1}, "b": {"weight": 1}},
			"rebalance": true,
		}},
		"errors": [],
		"warnings": [],
	}
	_rendered("annotation", _everything).warnings == [
		"the annotation cannot express spread constraints",
		"the annotation cannot express tolerations",
	]
	map := _rendered("annotation", object.union(_plain, {"kind": "ConfigMap"}))
	[map.annotations, map.warnings] == [{}, ["no annotation holds the placement of a ConfigMap"]]
}

_selected := {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "nginx", "namespace": "web"}

_weighted(weights) := {
	"replicaSchedulingType": "Divided",
	"replicaDivisionPreference": "Weighted",
	"weightPreference": {"staticWeightList": [
	{"targetCluster": {"clusterNames": [name]}, "weight": weight} |
		some [name, weight] in weights
	]},
}

test_karmada if {
	plain := _rendered("karmada", _plain)
	plain == {
		"manifests": [
			{
				"apiVersion": "policy.karmada.io/v1alpha1",
				"kind": "PropagationPolicy",
				"metadata": {"name": "nginx-replicaset", "namespace": "web"},
				"spec": {
					"resourceSelectors": [_selected],
					"placement": {
						"clusterAffinity": {"clusterNames": ["a", "b"]},
						"replicaScheduling": _weighted([["a", 1], ["b", 1]]),
					},
				},
			},
			{
				"apiVersion": "apps.karmada.io/v1alpha1",
				"kind": "WorkloadRebalancer",
				"metadata": {"name": "web.nginx-replicaset"},
				"spec": {"workloads": [_selected]},
			},
		],
		"annotations": {},
		"errors": [],
		"warnings": [],
	}
}

test_karmada_with_everything if {
	found := _rendered("karmada", _everything)
	[policy] := found.manifests
	policy.spec.placement == {
		"clusterAffinity": {"clusterNames": ["a", "b"]},
		"clusterTolerations": [
			{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"},
			{"key": "old", "operator": "Exists", "effect": "NoExecute"},
			{"key": "x", "operator": "Exists"},
		],
		"spreadConstraints": [{"spreadByField": "region", "minGroups": 1, "maxGroups": 2}, {"spreadByField": "cluster"}],
		"replicaScheduling": _weighted([["a", 2], ["b", 1]]),
	}
	found.warnings == [
		"Karmada cannot express maxReplicas of a cluster",
		"Karmada cannot express minReplicas of a cluster",
	]
}

_spread_by(constraints) := _object({$"{_policy}/spread": json.marshal(constraints)})

# A spread by another field goes with one by cluster.
test_karmada_spreads_by_cluster_too if {
	found := _rendered("karmada", _spread_by([{"by": "region", "min": 2}, {"by": "zone", "max": 9}]))
	found.manifests[0].spec.placement.spreadConstraints == [
		{"spreadByField": "region", "minGroups": 2},
		{"spreadByField": "zone", "maxGroups": 9},
		{"spreadByField": "cluster", "minGroups": 2},
	]
	found.warnings == ["Karmada takes a spread only with one by cluster: it is added, over at least 2"]
	least := _rendered("karmada", _spread_by([{"by": "region"}]))
	{"spreadByField": "cluster", "minGroups": 1} in least.manifests[0].spec.placement.spreadConstraints
}

# An empty list of clusters means all of them to Karmada.
test_no_cluster_is_left[note] if {
	some note, tc in {
		"by policy": {"pci": "9", "wish": {}, "left_out": []},
		"by weights": {"pci": "2", "wish": {"a": {"weight": 0}}, "left_out": ["a gets no replicas: it is left out"]},
	}
	wish := {"federation.kubernetes.io/replica-set-preferences": json.marshal({"clusters": tc.wish})}
	some target in ["karmada", "kubefleet", "ocm"]
	_rendered(target, _object(object.union({_pci: tc.pci}, wish))) == {
		"manifests": [],
		"annotations": {},
		"errors": [],
		"warnings": array.concat(tc.left_out, [concat(" ", [
			$"no cluster is left for {target}, and an empty list could mean all of them:",
			"nothing is rendered",
		])]),
	}
}

# Each of the names of what is made is a valid value of a label, and the same at every call.
test_long_names[note] if {
	some note, tc in {
		"as it is": {"name": "nginx", "made": "nginx-replicaset"},
		"the longest that is kept": {"name": _letters(52), "made": $"{_letters(52)}-replicaset"},
		"one more": {"name": _letters(53), "made": $"{_letters(53)}-68545685"},
		"of 253": {"name": _letters(253), "made": "…"},
		"with a colon": {"name": "system:Node", "made": "…"},
	}
	some target in ["karmada", "placementdecision"]
	thing := object.union(_plain, {"metadata": {"name": tc.name}})
	names := {name |
		some manifest in _rendered(target, thing).manifests
		some name in object.get(manifest.metadata, "labels", {"": manifest.metadata.name})
		name != "0"
	}
	every name in names { regex.match(`^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`, name) }
	count(names) == 1
	_are_kinds_equal(tc.made, names)
}

_are_kinds_equal("…", _)

_are_kinds_equal(made, names) if names == {made}

_letters(n) := concat("", [letter | some i in numbers.range(1, n); letter := "x"])

test_long_names_stay_apart if {
	names := {_rendered("ocm", thing).manifests[0].metadata.name |
		some last in ["a", "b"]
		thing := object.union(_plain, {"metadata": {"name": $"{_letters(252)}{last}"}})
	}
	count(names) == 2
}

_preferring(clusters) := _object({
	"federation.kubernetes.io/replica-set-preferences": json.marshal({"clusters": clusters}),
})

test_karmada_takes_no_weight_of_zero if {
	found := _rendered("karmada", _preferring({"a": {"weight": 0, "minReplicas": 1}, "b": {"weight": 2}}))
	found.warnings == ["Karmada cannot express minReplicas of a cluster", "Karmada takes no weight of 0: that of a is 1"]
	found.manifests[0].spec.placement.replicaScheduling == _weighted([["a", 1], ["b", 2]])
}

# A cluster that gets no replicas is none of those where a target has the object run.
test_clusters_without_replicas[target] if {
	some target in ["karmada", "kubefleet", "ocm", "placementdecision"]
	found := _rendered(target, _preferring({"a": {"weight": 0}, "b": {"weight": 1}}))
	found.warnings == ["a gets no replicas: it is left out"]
	text := json.marshal(found.manifests)
	[contains(text, `"b"`), contains(text, `\"b\"`)] != [false, false]
	not contains(text, `"a"`)
	not contains(text, `\"a\"`)
}

_map := {
	"apiVersion": "v1",
	"kind": "ConfigMap",
	"metadata": {"name": "m", "annotations": {_pci: "2"}},
}

# A manifest may leave out the one replica that the API server writes into it.
test_replicas_that_a_manifest_leaves_out[note] if {
	some note, tc in {
		"a Deployment": {"kind": "Deployment", "spec": {}, "divided": true},
		"null": {"kind": "StatefulSet", "spec": {"replicas": null}, "divided": true},
		"no spec": {"kind": "ReplicaSet", "spec": null, "divided": true},
		"a DaemonSet": {"kind": "DaemonSet", "spec": {}, "divided": false},
	}
	thing := object.union(json.remove(_plain, ["/spec"]), {"kind": tc.kind, "spec": tc.spec})
	[policy, _] := array.concat(_rendered("karmada", thing).manifests, [null | not tc.divided])
	[true | policy.spec.placement.replicaScheduling] == [true | tc.divided]
}

# What has no replicas is copied; what has no namespace gets a policy of the whole control plane.
test_karmada_of_what_has_no_replicas if {
	[policy] := _rendered("karmada", _map).manifests
	policy.kind == "ClusterPropagationPolicy"
	policy.metadata == {"name": "m-configmap"}
	policy.spec.placement == {"clusterAffinity": {"clusterNames": ["a", "b"]}}
}

test_ocm if {
	_rendered("ocm", _plain) == {
		"manifests": [{
			"apiVersion": "cluster.open-cluster-management.io/v1beta1",
			"kind": "Placement",
			"metadata": {"name": "nginx-replicaset", "namespace": "web"},
			"spec": {
				"numberOfClusters": 2,
				"predicates": [{"requiredClusterSelector": {"celSelector": {"celExpressions": [
					`managedCluster.metadata.name in ["a","b"]`,
				]}}}],
			},
		}],
		"annotations": {},
		"errors": [],
		"warnings": [],
	}
	_rendered("ocm", _map).warnings == ["a Placement of OCM lies in a namespace: give it one"]
}

test_ocm_with_everything if {
	found := _rendered("ocm", _everything)
	[placement] := found.manifests
	object.remove(placement.spec, ["predicates"]) == {
		"numberOfClusters": 2,
		"prioritizerPolicy": {
			"mode": "Additive",
			"configurations": [{"scoreCoordinate": {"type": "BuiltIn", "builtIn": "Steady"}, "weight": 10}],
		},
		"tolerations": [
			{"key": "gpu", "operator": "Exists", "effect": "NoSelect"},
			{"key": "x", "operator": "Exists"},
		],
		"spreadPolicy": {"spreadConstraints": [{
			"topologyKey": "topology.kubernetes.io/region",
			"topologyKeyType": "Label",
			"maxSkew": 1,
			"whenUnsatisfiable": "ScheduleAnyway",
		}]},
	}
	found.warnings == [
		"OCM cannot express a toleration of effect NoExecute",
		"OCM cannot express least and most of a spread constraint: it has the greatest skew",
		"OCM cannot express maxReplicas of a cluster",
		"OCM cannot express minReplicas of a cluster",
		"OCM cannot express weights: it picks clusters and does not divide replicas",
	]
}

test_kubefleet if {
	_rendered("kubefleet", _plain) == {
		"manifests": [{
			"apiVersion": "placement.kubernetes-fleet.io/v1beta1",
			"kind": "ResourcePlacement",
			"metadata": {"name": "nginx-replicaset", "namespace": "web"},
			"spec": {
				"resourceSelectors": [{"group": "apps", "version": "v1", "kind": "ReplicaSet", "name": "nginx"}],
				"policy": {"placementType": "PickFixed", "clusterNames": ["a", "b"]},
			},
		}],
		"annotations": {},
		"errors": [],
		"warnings": ["KubeFleet cannot express rebalancing: replicas are not moved"],
	}
	[placement] := _rendered("kubefleet", _map).manifests
	placement.kind == "ClusterResourcePlacement"
	placement.spec.resourceSelectors == [{"group": "", "version": "v1", "kind": "ConfigMap", "name": "m"}]
	_rendered("kubefleet", _everything).warnings == [
		"KubeFleet cannot express maxReplicas of a cluster",
		"KubeFleet cannot express minReplicas of a cluster",
		"KubeFleet cannot express spread constraints of clusters that are picked by name",
		"KubeFleet cannot express tolerations of clusters that are picked by name",
		"KubeFleet cannot express weights: it places on clusters and does not divide replicas",
	]
}

_reason := sprintf("demanded: %s=2", [_pci])

test_placement_decision if {
	_rendered("placementdecision", _plain) == {
		"manifests": [{
			"apiVersion": "multicluster.x-k8s.io/v1alpha1",
			"kind": "PlacementDecision",
			"metadata": {
				"name": "nginx-replicaset-0",
				"namespace": "web",
				"labels": {
					"multicluster.x-k8s.io/decision-key": "nginx-replicaset",
					"multicluster.x-k8s.io/decision-index": "0",
					"multicluster.x-k8s.io/placement-key": "nginx-replicaset",
				},
			},
			"decisions": [
				{"clusterProfileRef": {"name": "a"}, "reason": _reason},
				{"clusterProfileRef": {"name": "b"}, "reason": _reason},
			],
			"schedulerName": "warden",
		}],
		"annotations": {},
		"errors": [],
		"warnings": ["PlacementDecision cannot express rebalancing"],
	}
	_rendered("placementdecision", _everything).warnings == [
		"PlacementDecision cannot express maxReplicas of a cluster",
		"PlacementDecision cannot express minReplicas of a cluster",
		"PlacementDecision cannot express spread constraints",
		"PlacementDecision cannot express tolerations",
		"PlacementDecision cannot express weights: it only lists clusters",
	]
	"a PlacementDecision lies in a namespace: give it one" in _rendered("placementdecision", _map).warnings
}

test_slices[n] if {
	some n, slices in {2: [2], 1: [1, 1], 3: [2]}
	found := _rendered("placementdecision", _plain) with data.catalog.placement.decisionsPerSlice as n
	slices == [count(manifest.decisions) | some manifest in found.manifests]
	[$"{i}" | some i, _ in slices] == [manifest.metadata.labels["multicluster.x-k8s.io/decision-index"] |
		some manifest in found.manifests
	]
}

test_nothing_is_rendered[note] if {
	some note, tc in {
		"where no policy is about it": {
			"object": object.union(_plain, {"metadata": {"annotations": {_pci: "2"}, "labels": {}}}),
			"over": {_pci: null},
			"errors": ["metadata.annotations.policy.federation.alpha.kubernetes.io/pci-compliance-level: null is not a string"],
			"warnings": [],
		},
		"where there are errors": {
			"object": _preferring({"zoe": {"weight": 1}}),
			"over": {},
			"errors": ["requested replica-set-preferences includes invalid clusters"],
			"warnings": [],
		},
	}
	thing := json.patch(tc.object, [{"op": "add", "path": ["metadata", "annotations", key], "value": value} |
		some key, value in tc.over
	])
	{"manifests": [], "annotations": {}, "errors": tc.errors, "warnings": tc.warnings} == _rendered("ocm", thing)
}

test_what_no_policy_is_about if {
	_rendered("karmada", json.remove(_plain, ["metadata/annotations"])) == {
		"manifests": [],
		"annotations": {},
		"errors": [],
		"warnings": ["no policy is about this object"],
	}
}

_target_names := "annotation, karmada, kubefleet, ocm, placementdecision"

test_inputs_that_cannot_be_read[note] if {
	some note, tc in {
		"a list": {"document": [], "errors": ["the input is not an object: send object and target"]},
		"nothing": {"document": {}, "errors": [
			"object is missing: give the Kubernetes object",
			sprintf("target: null is not one of %s", [_target_names]),
		]},
		"another target": {
			"document": {"object": _plain, "target": "kubefed"},
			"errors": [sprintf("target: \"kubefed\" is not one of %s", [_target_names])],
		},
		"no name": {
			"document": {"object": object.union(_plain, {"metadata": {"name": ""}}), "target": "karmada"},
			"errors": ["object.metadata.name is missing: without it a target would select every object of its kind"],
		},
		"another field": {
			"document": {"object": _plain, "target": "ocm", "version": 1},
			"errors": ["version: unknown field: use object and target"],
		},
	}
	result := render.rendered with input as tc.document
	{"manifests": [], "annotations": {}, "errors": tc.errors, "warnings": []} == result
}

test_no_input if render.rendered.errors == ["the input is missing: send object and target"]

# What lies in no namespace is named after the object's, so that two objects have two.
test_rebalancers_of_two_namespaces if {
	names := {manifest.metadata.name |
		some namespace in ["shop", "pay"]
		thing := object.union(_plain, {"metadata": {"namespace": namespace}})
		some manifest in _rendered("karmada", thing).manifests
		manifest.kind == "WorkloadRebalancer"
	}
	names == {"shop.nginx-replicaset", "pay.nginx-replicaset"}
}

test_a_rebalancer_without_a_namespace if {
	thing := json.remove(_plain, ["metadata/namespace"])
	[manifest] := [manifest |
		some manifest in _rendered("karmada", thing).manifests
		manifest.kind == "WorkloadRebalancer"
	]
	manifest.metadata == {"name": "nginx-replicaset"}
}
