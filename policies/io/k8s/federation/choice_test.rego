package io.k8s.federation_test

import data.io.k8s.federation

# Clusters that are not ready, or about to go, and what becomes of objects there.

_state(thing, "unready") := json.patch(thing, [{
	"op": "add",
	"path": "/status/conditions",
	"value": [{"type": "Ready", "status": "False"}],
}])

_state(thing, "leaving") := json.patch(thing, [{
	"op": "add",
	"path": "/metadata/deletionTimestamp",
	"value": "2027-01-31T12:00:00Z",
}])

# The clusters of the example, the first in a state.
_clusters_with_first(state) := {"clusters": object.union(
	_clusters,
	{"gce-europe-west1": _state(_clusters["gce-europe-west1"], state)},
)}

_new(thing) := json.remove(thing, ["metadata/resourceVersion"])

_unready := "cluster gce-europe-west1 is not ready: ask for another one"

test_admission_by_the_state_of_a_cluster[note] if {
	some note, tc in {
		"unready, none named": {
			"state": "unready",
			"object": _object(_demands, {}),
			"answer": {"annotations": _answer(["gce-europe-west2"], true)},
		},
		"unready, all wished": {
			"state": "unready",
			"object": _wish_object(_demands, _wish({"*": {"weight": 1}})),
			"answer": {"annotations": _answer(["gce-europe-west2"], false)},
		},
		"unready, named by a new one": {
			"state": "unready",
			"object": _new(_wish_object(_demands, _wish(_weights(["gce-europe-west1"])))),
			"answer": {"annotations": _answer(["gce-europe-west1"], false), "errors": [_unready]},
		},
		"unready, named by a stored one": {
			"state": "unready",
			"object": _wish_object(_demands, _wish(_weights(["gce-europe-west1"]))),
			"answer": {"annotations": _answer(["gce-europe-west1"], false)},
		},
		"leaving, none named": {
			"state": "leaving",
			"object": _object(_demands, {}),
			"answer": {"annotations": _answer(["gce-europe-west2"], true)},
		},
		"leaving, named by a stored one": {
			"state": "leaving",
			"object": _wish_object(_demands, _wish(_weights(["gce-europe-west1", "gce-europe-west2"]))),
			"answer": {"annotations": _answer(["gce-europe-west2"], false), "errors": _invalid},
		},
		"leaving, named without a demand": {
			"state": "leaving",
			"object": _wish_object({}, _wish(_weights(["gce-europe-west1"]))),
			"answer": {"annotations": {}, "errors": _invalid},
		},
	}
	tc.answer == _admit(tc.object, {}, _clusters_with_first(tc.state), {})
}

test_with_must_a_cluster_that_is_not_ready_is_left_out if {
	answer := _admit(_object(_demands, {}), _must, _clusters_with_first("unready"), {})
	answer.annotations == _answer(["gce-europe-west2"], true)
}

# What runs on a cluster that is not ready stays there; a cluster that goes is left.
test_remediation_by_the_state_of_a_cluster[note] if {
	some note, tc in {
		"unready": {"state": "unready", "on": ["gce-europe-west1", "gce-europe-west2"], "then": {}},
		"unready, the only one": {"state": "unready", "on": ["gce-europe-west1"], "then": {}},
		"leaving": {
			"state": "leaving",
			"on": ["gce-europe-west1", "gce-europe-west2"],
			"then": _answer(["gce-europe-west2"], true),
		},
		"leaving, the only one": {
			"state": "leaving",
			"on": ["gce-europe-west1"],
			"then": _answer(["gce-europe-west2"], true),
		},
	}
	answer := federation.remediation with input as {"object": _stored({"rebalance": true, "clusters": _weights(tc.on)})}
		with data.kubernetes as _clusters_with_first(tc.state)
		with data.site.placement as {}
		with data.settings.compiled as _settings({})
	[tc.then, []] == [answer.annotations, answer.errors]
}

test_demands_that_nobody_knows[note] if {
	some note, tc in {
		"misspelt": {
			"key": "policy.federation.alpha.kubernetes.io/eu-jurisdiction-requird",
			"errors": [concat("", [
				"metadata.annotations.policy.federation.alpha.kubernetes.io/eu-jurisdiction-requird: unknown demand: use ",
				concat(", ", sort({demand | some demand in data.catalog.placement.demands})),
			])],
		},
		"of another prefix": {"key": "policy.example.com/eu-jurisdiction-requird", "errors": []},
	}
	answer := _admitted(_object({tc.key: "true"}, {}))
	tc.errors == [error | some error in answer.errors]
}

test_a_selector_that_is_not_read_is_pointed_out if {
	answer := _admitted(_object({"federation.alpha.kubernetes.io/cluster-selector": "[]"}, {}))
	answer.warnings == [concat("", [
		"metadata.annotations.federation.alpha.kubernetes.io/cluster-selector is not read: say where the object runs in ",
		"federation.kubernetes.io/deployment-preferences, federation.kubernetes.io/replica-set-preferences",
	])]
}
