package io.k8s.federation_test

import data.io.k8s.federation

_mend(item, over) := object.remove(result, ["needs"]) if {
	result := federation.remediation with input as item
		with data.kubernetes as _kubernetes
		with data.site.placement as {}
		with data.settings.compiled as _settings(over)
}

_stored(value) := _object(object.union(_demands, {_preferences: value}), {})

_two := "{\"clusters\":{\"gce-europe-west1\":{\"weight\":1},\"gce-europe-west2\":{\"weight\":1}},\"rebalance\":true}"

_mended(annotations, text) := {
	"annotations": annotations,
	"patch": {"metadata": {"annotations": {_preferences: text}, "resourceVersion": "364993"}},
	"errors": [],
	"warnings": [],
}

_empty_answer := {"annotations": {}, "patch": null, "errors": [], "warnings": []}

test_remediation[note] if {
	some note, tc in {
		"as it should be": {"object": _stored(_two), "answer": _empty_answer},
		"written otherwise": {
			"object": _stored(concat(" ", [
				"{\"rebalance\": true, \"clusters\": {\"gce-europe-west2\": {\"weight\": 1.0},",
				"\"gce-europe-west1\": {\"weight\": 1}}}",
			])),
			"answer": _empty_answer,
		},
		"never placed": {
			"object": _object(_demands, {}),
			"answer": _mended(_answer(["gce-europe-west1", "gce-europe-west2"], true), _two),
		},
		"off a cluster that is no longer allowed": {
			"object": _stored({"rebalance": true, "clusters": _weights(["gce-europe-west1", "gce-us-east1"])}),
			"answer": _mended(
				_answer(["gce-europe-west1"], true),
				"{\"clusters\":{\"gce-europe-west1\":{\"weight\":1}},\"rebalance\":true}",
			),
		},
		"fewer than may be is as requested": {
			"object": _stored({"rebalance": false, "clusters": _weights(["gce-europe-west2"])}),
			"answer": _empty_answer,
		},
		"nowhere left: to where it may": {
			"object": _stored({"rebalance": true, "clusters": _weights(["gce-us-east1"])}),
			"answer": _mended(_answer(["gce-europe-west1", "gce-europe-west2"], true), _two),
		},
		"not under policy": {"object": _object({}, {}), "answer": _empty_answer},
		"being deleted": {
			"object": json.patch(_object({_pci: "9"}, {}), [{
				"op": "add",
				"path": "/metadata/deletionTimestamp",
				"value": "2027-01-31T12:00:00Z",
			}]),
			"answer": _empty_answer,
		},
		"a deletion timestamp of null": {
			"object": json.patch(_object(_demands, {}), [{"op": "add", "path": "/metadata/deletionTimestamp", "value": null}]),
			"answer": _mended(_answer(["gce-europe-west1", "gce-europe-west2"], true), _two),
		},
		"nowhere at all": {
			"object": _object({_pci: "9"}, {}),
			"answer": {
				"annotations": {_preferences: {"clusters": {}, "rebalance": true}},
				"patch": null,
				"errors": [
					sprintf("KFK-PLC-001: no cluster is left for ReplicaSet default/nginx-eu: %s=9", [_pci]),
					"KFK-PLC-002: only 0 of at least 1 clusters are left",
				],
				"warnings": [],
			},
		},
	}
	tc.answer == _mend({"object": tc.object}, {})
}

test_what_must_be_used_is_added if {
	answer := _mend({"object": _stored({"rebalance": true, "clusters": _weights(["gce-europe-west1"])})}, _must)
	answer.annotations == _answer(["gce-europe-west1", "gce-europe-west2"], true)
}

_moving := _stored({"rebalance": true, "clusters": _weights(["gce-us-east1"])})

test_off_the_only_healthy_cluster[note] if {
	some note, tc in {
		"the one that is left": {"healthy": {"gce-us-east1": 1, "gce-europe-west1": 0}, "errors": [_only_up]},
		"both that are left": {
			"healthy": {"gce-us-east1": 3, "gce-us-west1": 3, "gce-europe-west1": 0},
			"errors": [concat(" ", [
				"KFK-PLC-002: gce-us-east1, gce-us-west1 are the only clusters where it is up,",
				"and all of them would be left",
			])],
		},
		"up elsewhere too": {"healthy": {"gce-us-east1": 1, "gce-europe-west1": 1}, "errors": []},
		"up where it stays": {"healthy": {"gce-europe-west2": 1}, "errors": []},
		"down": {"healthy": {"gce-us-east1": 0}, "errors": []},
		"not known": {"healthy": {}, "errors": []},
	}
	answer := _mend({"object": _moving, "healthy": tc.healthy}, {})
	tc.errors == answer.errors
	[tc.errors != [], true] == [answer.patch == null, answer.annotations != {}]
}

_only_up := "KFK-PLC-002: gce-us-east1 is the only cluster where it is up, and would be left"

# A cluster that gets none of an object's replicas is none where it runs.
test_clusters_without_replicas[note] if {
	some note, tc in {
		"weight 0": {"preference": {"weight": 0}, "runs": false},
		"no weight": {"preference": {}, "runs": false},
		"a weight": {"preference": {"weight": 1, "minReplicas": 0}, "runs": true},
		"a minimum": {"preference": {"weight": 0, "minReplicas": 1}, "runs": true},
		"a maximum of 0": {"preference": {"weight": 1, "maxReplicas": 0}, "runs": false},
		"a maximum": {"preference": {"weight": 1, "maxReplicas": 1}, "runs": true},
	}
	wish := {"clusters": {"gce-europe-west1": tc.preference, "gce-europe-west2": {"weight": 1}}}
	errors := _mend({"object": _stored(wish), "healthy": {"gce-europe-west1": 2, "gce-europe-west2": 0}}, {}).errors
	least := {"KFK-PLC-002": {"mode": "deny", "params": {"minClusters": 2}}}
	admitted := object.get(_admit(_stored(wish), least, _kubernetes, {}), "errors", [])
	alone := {"clusters": {"gce-europe-west1": tc.preference}}
	[[errors == [], admitted == []], tc.runs] == [
		[tc.runs, tc.runs],
		object.get(_admitted(_stored(alone)), "errors", []) == [],
	]
}

# What has no replicas runs in each of its clusters, whatever its weights are.
test_clusters_of_what_has_no_replicas if {
	wish := {"clusters": {"gce-europe-west1": {"weight": 0}}}
	thing := object.union(json.remove(_stored(wish), ["/spec/replicas"]), {"kind": "DaemonSet"})
	answer := _mend({"object": thing, "healthy": {"gce-europe-west1": 1}}, {})
		with data.catalog.placement.preferences as {"DaemonSet": _preferences}
	answer.errors == []
}

test_off_clusters_without_replicas if {
	wish := {"clusters": {"gce-us-east1": {"weight": 1}, "gce-europe-west1": {"weight": 0}}}
	answer := _mend({"object": _stored(wish)}, {})
	clusters := {"gce-europe-west1": {"weight": 0}, "gce-europe-west2": {"weight": 1}}
	answer.annotations == {_preferences: {"clusters": clusters, "rebalance": false}}
}

test_nothing_is_taken_down_where_no_cluster_only_warns if {
	warn := {"KFK-PLC-001": {"mode": "warn", "params": _params["KFK-PLC-001"].params}}
	answer := _mend({"object": _object({_pci: "9"}, {})}, warn)
	[answer.patch, answer.errors] == [null, ["KFK-PLC-002: only 0 of at least 1 clusters are left"]]
}

test_minimum_of_clusters_in_remediation if {
	least := {"KFK-PLC-002": {"mode": "deny", "params": {"minClusters": 2}}}
	clusters := _weights(["gce-europe-west1", "gce-us-east1"])
	answer := _mend({"object": _stored({"rebalance": true, "clusters": clusters})}, least)
	answer.errors == ["KFK-PLC-002: only 1 of at least 2 clusters are left: gce-europe-west1"]
	answer.patch == null
}

test_text_of_a_site_is_written_as_it_is if {
	answer := federation.remediation with input as {"object": object.remove(_object({}, {}), [])}
		with data.kubernetes as _kubernetes
		with data.site.placement as {"annotations": {"a": {"b c"}}}
		with data.settings.compiled as _settings({})
	answer.patch.metadata.annotations == {"a": "b c"}
}

test_what_differs_from_a_text_of_a_site[note] if {
	some note, tc in {
		"the same text": {"stored": "1.10", "annotations": {}},
		"another text of the same number": {"stored": "1.1", "annotations": {"a": "1.10"}},
	}
	answer := federation.remediation with input as {"object": _object({"a": tc.stored}, {})}
		with data.kubernetes as _kubernetes
		with data.site.placement as {"annotations": {"a": {"1.10"}}}
		with data.settings.compiled as _settings({})
	tc.annotations == answer.annotations
}

test_the_patch_is_for_this_object_alone if {
	thing := object.union(_object(_demands, {}), {"metadata": {"uid": "0e9d"}})
	answer := _mend({"object": thing}, {})
	object.remove(answer.patch.metadata, ["annotations"]) == {"resourceVersion": "364993", "uid": "0e9d"}
}

test_items_that_cannot_be_read[note] if {
	some note, tc in {
		"a list": {"item": [], "errors": ["the item is not an object: send {\"object\": …}"]},
		"nothing": {"item": {}, "errors": ["object: the input is not a Kubernetes object: send it as JSON"]},
		"a bare object": {
			"item": {"object": _object({}, {}), "kind": "A"},
			"errors": ["kind: unknown field: use object, target, present and healthy"],
		},
		"healthy": {
			"item": {"object": _object({}, {}), "healthy": {"a": "1"}},
			"errors": ["healthy: not an object of cluster names to numbers of ready replicas"],
		},
		"an object that cannot be read": {
			"item": {"object": _object({_pci: "x"}, {})},
			"errors": [sprintf("object: metadata.annotations.%s: \"x\" is not a number of a level, as in \"2\"", [_pci])],
		},
	}
	object.union(_empty_answer, {"errors": tc.errors}) == _mend(tc.item, {})
}

test_many_remediations if {
	items := {"a": {"object": _stored(_two)}, "b": 1}
	answers := federation.remediations with input as {"items": items} with data.kubernetes as _kubernetes
		with data.settings.compiled as _settings({})
	object.remove(answers.a, ["needs"]) == _empty_answer
	answers.b.errors == ["the item is not an object: send {\"object\": …}"]
	object.keys(answers) == {"a", "b"}
}
