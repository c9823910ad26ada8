package io.k8s.federation_test

import data.io.k8s.federation
import data.kafka.fixtures_test as fixtures

_eu := "policy.federation.alpha.kubernetes.io/eu-jurisdiction-required"

_pci := "policy.federation.alpha.kubernetes.io/pci-compliance-level"

_preferences := "federation.kubernetes.io/replica-set-preferences"

_cluster(region, level) := {
	"apiVersion": "federation/v1beta1",
	"kind": "Cluster",
	"metadata": {"annotations": {"pci-compliance-level": level}},
	"status": {"region": region},
}

_clusters := {
	"gce-europe-west1": _cluster("europe-west1", "2"),
	"gce-europe-west2": _cluster("europe-west2", "3"),
	"gce-europe-west3": _cluster("europe-west3", "1"),
	"gce-us-east1": _cluster("us-east1", "3"),
}

# An object with annotations and labels.
_object(annotations, labels) := {
	"apiVersion": "extensions/v1beta1",
	"kind": "ReplicaSet",
	"metadata": {
		"name": "nginx-eu",
		"namespace": "default",
		"resourceVersion": "364993",
		"annotations": annotations,
		"labels": labels,
	},
	"spec": {"replicas": 4},
}

_demands := {_eu: "true", _pci: "2"}

_weights(names) := {name: {"weight": 1} | some name in names}

_answer(names, rebalance) := {_preferences: {"clusters": _weights(names), "rebalance": rebalance}}

_params := {
	"KFK-PLC-001": {"mode": "deny", "params": {
		"use": "may",
		"allowedByLabel": {"data-residency": {"eu": ["europe-*"], "us": ["us-*"]}},
	}},
	"KFK-PLC-002": {"mode": "deny", "params": {"minClusters": 1}},
	"KFK-PLC-003": {"mode": "deny", "params": {"attempts": 3, "onError": "fail"}},
}

_settings(over) := fixtures.compiled({
	"rules": object.union(_params, over),
	"clusters": [],
	"enforcementPoints": {},
	"waivers": [],
})

_kubernetes := {"clusters": _clusters}

_admit(thing, over, kubernetes, site) := result if {
	result := federation.admission with input as thing
		with data.kubernetes as kubernetes
		with data.site.placement as site
		with data.settings.compiled as _settings(over)
}

_admitted(thing) := _admit(thing, {}, _kubernetes, {})

_wish_object(annotations, wish) := _object(object.union(annotations, {_preferences: wish}), {})

_wish(clusters) := json.marshal({"clusters": clusters})

_invalid := ["requested replica-set-preferences includes invalid clusters"]

# The design's query and its configuration name two documents.
test_annotations_are_admission[note] if {
	some note, thing in {"an object": _object(_demands, {}), "no object": 3}
	result := federation.annotations with input as thing
		with data.kubernetes as _kubernetes
		with data.settings.compiled as _settings({})
	result == _admitted(thing)
}

test_admission[note] if {
	some note, tc in {
		"the design's example": {
			"object": _object(_demands, {}),
			"answer": {"annotations": _answer(["gce-europe-west1", "gce-europe-west2"], true)},
		},
		"nothing demanded": {"object": _object({}, {}), "answer": {"annotations": {}}},
		"no annotations": {
			"object": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "annotations": null, "labels": null}},
			"answer": {"annotations": {}},
		},
		"demanded not": {"object": _object({_eu: "false"}, {}), "answer": {"annotations": {}}},
		"jurisdiction alone": {
			"object": _object({_eu: "true"}, {}),
			"answer": {"annotations": _answer(["gce-europe-west1", "gce-europe-west2", "gce-europe-west3"], true)},
		},
		"a level alone, on its bound": {
			"object": _object({_pci: "3"}, {}),
			"answer": {"annotations": _answer(["gce-europe-west2", "gce-us-east1"], true)},
		},
		"residency": {
			"object": _object({_pci: "2"}, {"data-residency": "us", "app": "a"}),
			"answer": {"annotations": _answer(["gce-us-east1"], true)},
		},
		"what is requested and may be used": {
			"object": _wish_object(_demands, _wish({"gce-europe-west1": {"weight": 3, "minReplicas": 1, "maxReplicas": 1}})),
			"answer": {"annotations": {_preferences: {
				"clusters": {"gce-europe-west1": {"weight": 3, "minReplicas": 1, "maxReplicas": 1}},
				"rebalance": false,
			}}},
		},
		"requested as an object": {
			"object": _wish_object(_demands, {"rebalance": true, "clusters": {"gce-europe-west1": {"weight": 3}}}),
			"answer": {"annotations": {_preferences: {"clusters": {"gce-europe-west1": {"weight": 3}}, "rebalance": true}}},
		},
		"everywhere that may be": {
			"object": _wish_object(_demands, _wish({"*": {"weight": 2}, "gce-europe-west2": {"weight": 0}})),
			"answer": {"annotations": {_preferences: {
				"clusters": {"gce-europe-west1": {"weight": 2}, "gce-europe-west2": {"weight": 0}},
				"rebalance": false,
			}}},
		},
		"requested and not allowed": {
			"object": _wish_object(_demands, _wish({"gce-europe-west1": {"weight": 1}, "gce-us-east1": {"weight": 1}})),
			"answer": {"annotations": _answer(["gce-europe-west1"], false), "errors": _invalid},
		},
		"requested and not known": {
			"object": _wish_object({}, _wish({"gce-europe-west9": {"weight": 1}})),
			"answer": {"annotations": {}, "errors": _invalid},
		},
		"requested, nothing demanded": {
			"object": _wish_object({}, _wish({"gce-us-east1": {"weight": 1}, "*": {"weight": 1}})),
			"answer": {"annotations": {}},
		},
		"nothing left": {
			"object": _object({_eu: "true", _pci: "4"}, {}),
			"answer": {
				"annotations": {_preferences: {"clusters": {}, "rebalance": true}},
				"errors": [sprintf(
					"KFK-PLC-001: no cluster is left for ReplicaSet default/nginx-eu: %s=true; %s=4",
					[_eu, _pci],
				)],
			},
		},
		"a residence that nobody knows": {
			"object": _object({}, {"data-residency": "mars"}),
			"answer": {
				"annotations": {_preferences: {"clusters": {}, "rebalance": true}},
				"errors": [concat(" ", [
					"KFK-PLC-001: no cluster is left for ReplicaSet default/nginx-eu:",
					"data-residency=mars is not a residence that the settings know: eu, us",
				])],
			},
		},
		"a residence that nobody knows, and a demand": {
			"object": _object({_pci: "4"}, {"data-residency": "mars"}),
			"answer": {
				"annotations": {_preferences: {"clusters": {}, "rebalance": true}},
				"errors": [concat(" ", [
					"KFK-PLC-001: no cluster is left for ReplicaSet default/nginx-eu:",
					"data-residency=mars is not a residence that the settings know: eu, us",
				])],
			},
		},
		"a residence where there is none": {
			"object": _object({_pci: "2"}, {"data-residency": "eu"}),
			"answer": {"annotations": _answer(["gce-europe-west1", "gce-europe-west2"], true)},
		},
		"a kind without an annotation": {
			"object": object.union(_object(_demands, {}), {"kind": "ConfigMap"}),
			"answer": {"annotations": {}, "errors": [concat(" ", [
				"ConfigMap: policy decides where this object runs,",
				"but only Deployment, ReplicaSet have an annotation that says so",
			])]},
		},
		"a deployment": {
			"object": object.union(_object(_demands, {}), {"kind": "Deployment"}),
			"answer": {"annotations": {"federation.kubernetes.io/deployment-preferences": {
				"clusters": _weights(["gce-europe-west1", "gce-europe-west2"]),
				"rebalance": true,
			}}},
		},
	}
	tc.answer == _admitted(tc.object)
}

test_residency_message_names_regions if {
	clusters := {"clusters": {"a": _cluster("us-east1", "1")}}
	answer := _admit(_object({}, {"data-residency": "eu"}), {}, clusters, {})
	answer.errors == [concat(" ", [
		"KFK-PLC-001: no cluster is left for ReplicaSet default/nginx-eu:",
		"data-residency=eu (regions europe-*)",
	])]
}

_must := {"KFK-PLC-001": {"mode": "deny", "params": object.union(_params["KFK-PLC-001"].params, {"use": "must"})}}

# Clusters that must be used are used whatever is requested.
test_must[note] if {
	some note, tc in {
		"nothing requested": {
			"object": _object(_demands, {}),
			"clusters": _weights(["gce-europe-west1", "gce-europe-west2"]),
		},
		"one of them requested": {
			"object": _wish_object(_demands, _wish({"gce-europe-west1": {"weight": 7}})),
			"clusters": {"gce-europe-west1": {"weight": 7}, "gce-europe-west2": {"weight": 1}},
		},
		"another requested": {
			"object": _wish_object(_demands, _wish({"gce-us-east1": {"weight": 7}, "*": {"weight": 2}})),
			"clusters": {"gce-europe-west1": {"weight": 2}, "gce-europe-west2": {"weight": 2}},
		},
	}
	answer := _admit(tc.object, _must, _kubernetes, {})
	object.keys(answer) == {"annotations"}
	answer.annotations[_preferences].clusters == tc.clusters
}

_none_left := _object({_pci: "9"}, {})

test_no_cluster_left_by_mode[mode] if {
	some mode, keys in {
		"deny": {"annotations", "errors"},
		"warn": {"annotations", "warnings"},
		"dryrun": {"annotations"},
		"disabled": {"annotations"},
	}
	answer := _admit(
		_none_left,
		{"KFK-PLC-001": {"mode": mode, "params": {"use": "may", "allowedByLabel": {}}}},
		_kubernetes,
		{},
	)
	keys == object.keys(answer)
}

test_a_denial_of_a_later_day_warns[day] if {
	some day, keys in {"2199-01-01": {"annotations", "warnings"}, "2020-01-01": {"annotations", "errors"}}
	row := {"mode": "deny", "enforceFrom": day, "params": {"use": "may", "allowedByLabel": {}}}
	keys == object.keys(_admit(_none_left, {"KFK-PLC-001": row}, _kubernetes, {}))
}

_waiver(fields) := object.union({"id": "W-1", "rule": "KFK-PLC-001", "expires": "2199-12-31"}, fields)

test_waiver[note] if {
	some note, tc in {
		"of this rule": {"waiver": {}, "waived": true},
		"of another rule": {"waiver": {"rule": "KFK-PLC-002"}, "waived": false},
		"of this object": {"waiver": {"object": "default/nginx-eu"}, "waived": true},
		"of objects like this": {"waiver": {"object": "default/*"}, "waived": true},
		"of another object": {"waiver": {"object": "default/nginx"}, "waived": false},
		"of another namespace": {"waiver": {"object": "nginx-eu"}, "waived": false},
		"expired": {"waiver": {"expires": "2020-12-31"}, "waived": false, "said": " (waiver W-1 expired on 2020-12-31)"},
	}
	laid := object.union(_settings({}), {"waivers": {_waiver(tc.waiver).rule: [_waiver(tc.waiver)]}})
	answer := federation.placement with input as _none_left
		with data.kubernetes as _kubernetes
		with data.settings.compiled as laid
	line := $"KFK-PLC-001: no cluster is left for ReplicaSet default/nginx-eu: {_pci}=9"
	errors := {true: [], false: [concat("", [line, object.get(tc, "said", "")])]}
	reasons := {true: [$"{line} (waived until 2199-12-31 by W-1)"], false: []}
	[answer.errors, [reason | some reason in answer.reasons; contains(reason, "KFK")]] == [
		errors[tc.waived],
		reasons[tc.waived],
	]
}

test_an_object_without_a_namespace_is_waived_by_its_name if {
	thing := {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "annotations": {_pci: "9"}}}
	laid := object.union(_settings({}), {"waivers": {"KFK-PLC-001": [_waiver({"object": "shop"})]}})
	answer := federation.placement with input as thing
		with data.kubernetes as _kubernetes
		with data.settings.compiled as laid
	answer.errors == []
}

test_minimum[n] if {
	some n, errors in {2: [], 3: [concat(" ", [
		"KFK-PLC-002: only 2 of at least 3 clusters are left:",
		"gce-europe-west1, gce-europe-west2",
	])]}
	answer := _admit(
		_object(_demands, {}),
		{"KFK-PLC-002": {"mode": "deny", "params": {"minClusters": n}}},
		_kubernetes,
		{},
	)
	found := object.get(answer, "errors", [])
	errors == found
}

test_nothing_known_of_clusters[note] if {
	some note, tc in {
		"demanding": {"object": _object(_demands, {}), "errors": [concat(" ", [
			"KFK-PLC-003: no cluster is replicated,",
			"so that nothing is known of where ReplicaSet default/nginx-eu may run",
		])]},
		"not demanding": {"object": _object({}, {}), "errors": []},
		"asking": {"object": _wish_object({}, _wish({"a": {"weight": 1}})), "errors": []},
	}
	some kubernetes in [{}, {"clusters": {}}]
	errors := object.get(_admit(tc.object, {}, kubernetes, {}), "errors", [])
	tc.errors == errors
}

_spread := "policy.federation.alpha.kubernetes.io/spread"

_tolerations := "policy.federation.alpha.kubernetes.io/tolerations"

_annotation(key, problem) := [sprintf("metadata.annotations.%s: %s", [key, problem])]

_bad_spread := concat(" ", [
	"constraint 0 is not by one of",
	"cluster, provider, region, zone with whole min and max",
])

test_what_cannot_be_read[note] if {
	some note, tc in {
		"number": {"object": 3, "errors": ["the input is not a Kubernetes object: send it as JSON"]},
		"null": {"object": null, "errors": ["the input is not a Kubernetes object: send it as JSON"]},
		"nothing": {"object": {}, "errors": [
			"apiVersion: null is not a non-empty string",
			"kind: null is not a non-empty string",
			"metadata: not an object",
		]},
		"kind": {
			"object": object.union(_object({}, {}), {"kind": ""}),
			"errors": ["kind: \"\" is not a non-empty string"],
		},
		"name and namespace": {
			"object": {"apiVersion": "v1", "kind": "A", "metadata": {"name": 1, "namespace": null}},
			"errors": ["metadata.name: 1 is not a string", "metadata.namespace: null is not a string"],
		},
		"metadata": {"object": object.union(_object({}, {}), {"metadata": "x"}), "errors": ["metadata: not an object"]},
		"annotations": {
			"object": {"apiVersion": "v1", "kind": "A", "metadata": {"annotations": ["a"]}},
			"errors": ["metadata.annotations: not an object of names to strings"],
		},
		"an annotation": {
			"object": _object({"a": null}, {}),
			"errors": ["metadata.annotations.a: null is not a string"],
		},
		"labels": {
			"object": {"apiVersion": "v1", "kind": "A", "metadata": {"labels": "a=b"}},
			"errors": ["metadata.labels: not an object of names to strings"],
		},
		"a label": {"object": _object({}, {"a": 1}), "errors": ["metadata.labels.a: 1 is not a string"]},
		"jurisdiction": {
			"object": _object({_eu: "yes"}, {}),
			"errors": _annotation(_eu, "\"yes\" is not \"true\" or \"false\""),
		},
		"level": {
			"object": _object({_pci: "two"}, {}),
			"errors": _annotation(_pci, "\"two\" is not a number of a level, as in \"2\""),
		},
		"level with a sign": {
			"object": _object({_pci: "-1"}, {}),
			"errors": _annotation(_pci, "\"-1\" is not a number of a level, as in \"2\""),
		},
		"level as a number": {
			"object": _object({_pci: 2}, {}),
			"errors": _annotation(_pci, "2 is not a number of a level, as in \"2\""),
		},
		"preferences that are not JSON": {
			"object": _wish_object({}, "{\"clusters\": "),
			"errors": _annotation(_preferences, "not JSON of {\"rebalance\": …, \"clusters\": {name: {\"weight\": …}}}"),
		},
		"preferences without clusters": {
			"object": _wish_object({}, "{\"rebalance\": 1, \"cluster\": {}}"),
			"errors": sort([problem |
				some text in [
					"clusters is not an object of cluster names",
					"rebalance is not true or false",
					"unknown field cluster: use clusters and rebalance",
				]
				some problem in _annotation(_preferences, text)
			]),
		},
		"a preference": {
			"object": _wish_object({}, _wish({"a": 1})),
			"errors": _annotation(_preferences, "clusters.a is not an object of weight, minReplicas and maxReplicas"),
		},
		"a preference's field": {
			"object": _wish_object({}, _wish({"a": {"replicas": 1}})),
			"errors": _annotation(_preferences, "clusters.a.replicas: unknown field: use weight, minReplicas and maxReplicas"),
		},
		"a preference's number": {
			"object": _wish_object({}, _wish({"a": {"weight": -1, "minReplicas": 1}, "b": {"weight": 1}})),
			"errors": _annotation(_preferences, "clusters.a.weight: -1 is not a whole number from 0"),
		},
		"half a replica": {
			"object": _wish_object({}, _wish({"a": {"maxReplicas": 1.5}})),
			"errors": _annotation(_preferences, "clusters.a.maxReplicas: 1.5 is not a whole number from 0"),
		},
		"least above most": {
			"object": _wish_object({}, _wish({"a": {"minReplicas": 2, "maxReplicas": 1}})),
			"errors": _annotation(_preferences, "clusters.a: minReplicas is above maxReplicas"),
		},
		"tolerations": {
			"object": _object({_tolerations: "{}"}, {}),
			"errors": _annotation(_tolerations, "not a JSON list of objects"),
		},
		"the second toleration": {
			"object": _object({_tolerations: "[{\"key\": \"a\"}, {\"bogus\": 1, \"key\": \"b\"}]"}, {}),
			"errors": _annotation(
				_tolerations,
				"toleration 1: unknown field bogus: use effect, key, operator, tolerationSeconds and value",
			),
		},
		"tolerations of text": {
			"object": _object({_tolerations: "[\"a\"]"}, {}),
			"errors": _annotation(_tolerations, "not a JSON list of objects"),
		},
		"spread by nothing": {"object": _object({_spread: "[{}]"}, {}), "errors": _annotation(_spread, _bad_spread)},
		"spread by one field twice": {
			"object": _object({_spread: "[{\"by\": \"zone\"}, {\"by\": \"cluster\"}, {\"by\": \"zone\"}]"}, {}),
			"errors": _annotation(_spread, "constraint 2: an earlier one is by zone too"),
		},
		"spread over more than the most": {
			"object": _object({_spread: "[{\"by\": \"zone\", \"min\": 3, \"max\": 2}]"}, {}),
			"errors": _annotation(_spread, "constraint 0: min is above max"),
		},
		"spread by another": {
			"object": _object({_spread: "[{\"by\": \"rack\"}]"}, {}),
			"errors": _annotation(_spread, _bad_spread),
		},
		"spread by another over more than the most": {
			"object": _object({_spread: "[{\"by\": \"rack\", \"min\": 3, \"max\": 2}]"}, {}),
			"errors": _annotation(_spread, _bad_spread),
		},
		"spread with another field": {
			"object": _object({_spread: "[{\"by\": \"zone\", \"maxSkew\": 1}]"}, {}),
			"errors": _annotation(_spread, _bad_spread),
		},
	}
	{"annotations": {}, "errors": tc.errors} == _admitted(tc.object)
	neutral := federation.neutral_decision(tc.object)
	{"placed": false, "clusters": {}, "errors": tc.errors} == object.filter(neutral, ["placed", "clusters", "errors"])
}

test_a_spread_that_can_be_read if {
	object_of_it := _object({_spread: "[{\"by\": \"zone\", \"min\": 1, \"max\": 2}]"}, {})
	federation.object_problems(object_of_it) == set()
}

test_no_input if {
	federation.admission.errors == ["the input is missing: send the Kubernetes object"]
	federation.placement.errors == ["the input is missing: send the Kubernetes object"]
	federation.remediation.errors == ["the input is missing: send object"]
}

test_many if {
	items := {"a": _object({}, {}), "b": 3}
	answers := federation.admissions with input as {"items": items} with data.kubernetes as _kubernetes
		with data.settings.compiled as _settings({})
	answers == {
		"a": {"annotations": {}},
		"b": {"annotations": {}, "errors": ["the input is not a Kubernetes object: send it as JSON"]},
	}
}

# What is replicated is not as it should be: nothing is placed, and it is said.
test_clusters_that_cannot_be_read[note] if {
	some note, kubernetes in {
		"a number": {"clusters": {"a": 3}},
		"regions that are none": {"clusters": {"a": {"status": {"region": ["europe-west1"]}}}},
	}
	answer := _admit(_object(_demands, {}), {}, kubernetes, {})
	answer.annotations[_preferences].clusters == {}
	count(answer.errors) == 1
}

test_an_index_that_is_none_is_not_looked_at if {
	kubernetes := {"clusters": _clusters, "clusterIndex": 7}
	_admit(_object(_demands, {}), {}, kubernetes, {}) == _admitted(_object(_demands, {}))
}

_undecided := concat(" ", [
	"policy could not decide about this object:",
	"look at the settings, the site's rules and the replicated clusters",
])

test_what_cannot_be_decided_is_not_admitted if {
	admission := federation.admission with input as _object(_demands, {}) with data.settings.compiled as {}
	admission == {"annotations": {}, "errors": [_undecided]}
	neutral := federation.placement with input as _object(_demands, {}) with data.settings.compiled as {}
	neutral.errors == [_undecided]
	remediation := federation.remediation with input as {"object": _object(_demands, {})} with data.settings.compiled as {}
	remediation == {"annotations": {}, "patch": null, "errors": [_undecided], "warnings": [], "needs": []}
}
