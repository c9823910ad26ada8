package io.k8s.federation_test

import data.io.k8s.federation

_site_admission(thing, site) := _admit(thing, {}, _kubernetes, site)

_eu_answer := _answer(["gce-europe-west1", "gce-europe-west2"], true)

test_site[note] if {
	some note, tc in {
		"an annotation": {
			"site": {"annotations": {"a": {"1"}}},
			"answer": {"annotations": object.union(_eu_answer, {"a": "1"})},
		},
		"in one value, as the design writes it": {
			"site": {"annotations": {"a": {"b": [1]}}},
			"answer": {"annotations": object.union(_eu_answer, {"a": {"b": [1]}})},
		},
		"the same from two teams": {
			"site": {"x": {"annotations": {"a": {"{\"b\": 1}"}}}, "y": {"annotations": {"a": {{"b": 1}}}}},
			"answer": {"annotations": object.union(_eu_answer, {"a": "{\"b\": 1}"})},
		},
		"texts that look like JSON": {
			"site": {"annotations": {"a": "1.10", "b": {"1e3"}, "c": "\"q\"", "d": {"null"}, "e": " 1", "f": "[1, 2]"}},
			"answer": {"annotations": object.union(_eu_answer, {
				"a": "1.10",
				"b": "1e3",
				"c": "\"q\"",
				"d": "null",
				"e": " 1",
				"f": "[1, 2]",
			})},
		},
		"numbers and booleans": {
			"site": {"annotations": {"a": 12345678901234567890.5, "b": true, "c": {0}}},
			"answer": {"annotations": object.union(_eu_answer, {"a": "12345678901234567890.5", "b": "true", "c": "0"})},
		},
		"a number and its text": {
			"site": {"x": {"annotations": {"a": {1}}}, "y": {"annotations": {"a": {"1"}}}},
			"answer": {"annotations": object.union(_eu_answer, {"a": "1"})},
		},
		"two texts of one object": {
			"site": {"annotations": {"a": {"{\"b\":1}", "{ \"b\": 1}"}}},
			"answer": {"annotations": object.union(_eu_answer, {"a": "{ \"b\": 1}"})},
		},
		"two texts of one number": {
			"site": {"annotations": {"a": {"1.1", "1.10"}}},
			"answer": {
				"annotations": _eu_answer,
				"errors": ["annotation a: rules set it differently, to \"1.1\" and to \"1.10\""],
			},
		},
		"null and its text": {
			"site": {"annotations": {"a": {null, "null"}}},
			"answer": {
				"annotations": _eu_answer,
				"errors": ["annotation a: a rule sets it to null; an annotation cannot be taken away"],
			},
		},
		"differently by two teams": {
			"site": {"x": {"annotations": {"a": {"b"}}}, "y": {"annotations": {"a": {"c"}}}},
			"answer": {
				"annotations": _eu_answer,
				"errors": ["annotation a: rules set it differently, to \"b\" and to \"c\""],
			},
		},
		"differently by one team": {
			"site": {"annotations": {"a": {1, 2}}},
			"answer": {"annotations": _eu_answer, "errors": ["annotation a: rules set it differently, to 1 and to 2"]},
		},
		"differently from us": {
			"site": {"annotations": {_preferences: {{"clusters": {}}}}},
			"answer": {"annotations": {}, "errors": [concat("", [
				"annotation ", _preferences, ": rules set it differently, to {\"clusters\":{}} and to ",
				"{\"clusters\":{\"gce-europe-west1\":{\"weight\":1},\"gce-europe-west2\":{\"weight\":1}},\"rebalance\":true}",
			])]},
		},
		"null": {
			"site": {"annotations": {"a": {null}}},
			"answer": {
				"annotations": _eu_answer,
				"errors": ["annotation a: a rule sets it to null; an annotation cannot be taken away"],
			},
		},
		"no annotations at all": {
			"site": {"annotations": ["a"]},
			"answer": {
				"annotations": _eu_answer,
				"errors": ["site.placement: annotations is not an object of annotations to values"],
			},
		},
		"an error": {"site": {"errors": {"no"}}, "answer": {"annotations": _eu_answer, "errors": ["no"]}},
		"an error of a team": {"site": {"x": {"errors": {"no"}}}, "answer": {"annotations": _eu_answer, "errors": ["no"]}},
		"an error that is not a set": {"site": {"errors": "no"}, "answer": {"annotations": _eu_answer, "errors": ["no"]}},
		"an error that is not a text": {"site": {"errors": true}, "answer": {"annotations": _eu_answer, "errors": ["true"]}},
		"a warning": {"site": {"warnings": {"mind"}}, "answer": {"annotations": _eu_answer, "warnings": ["mind"]}},
		"clusters that may be used": {
			"site": {"clusters": {"gce-europe-west1", "gce-us-east1"}},
			"answer": {"annotations": _answer(["gce-europe-west1"], true)},
		},
		"of two teams: those that both allow": {
			"site": {"x": {"clusters": {"gce-europe-west1"}}, "y": {"clusters": {"gce-europe-west1", "gce-europe-west2"}}},
			"answer": {"annotations": _answer(["gce-europe-west1"], true)},
		},
		"a cluster that must be used": {
			"site": {"required": {"gce-europe-west2"}},
			"answer": {"annotations": _eu_answer},
		},
		"a cluster that must be used and may not": {
			"site": {"required": {"gce-us-east1"}},
			"answer": {
				"annotations": _eu_answer,
				"errors": ["cluster gce-us-east1 is required by this site's rules, and not allowed"],
			},
		},
		"about another object": {
			"site": {"about": set(), "clusters": set(), "errors": {"no"}, "annotations": {"a": {"1"}}},
			"answer": {"annotations": _eu_answer},
		},
		"about another object, as a boolean": {
			"site": {"x": {"about": false, "clusters": set()}},
			"answer": {"annotations": _eu_answer},
		},
		"about this one": {
			"site": {"about": {"payments"}, "clusters": {"gce-europe-west1"}},
			"answer": {"annotations": _answer(["gce-europe-west1"], true)},
		},
		"about this one, as a boolean": {
			"site": {"x": {"about": true, "annotations": {"a": {"1"}}}},
			"answer": {"annotations": object.union(_eu_answer, {"a": "1"})},
		},
		"one team about this object, another not": {
			"site": {
				"x": {"about": set(), "clusters": set()},
				"y": {"about": {"eu"}, "clusters": {"gce-europe-west2"}},
			},
			"answer": {"annotations": _answer(["gce-europe-west2"], true)},
		},
		"about, in a shape that is none": {
			"site": {"about": "yes", "warnings": {"mind"}},
			"answer": {
				"annotations": _eu_answer,
				"errors": ["site.placement: about is not a set: write `about contains \"why\" if …`"],
				"warnings": ["mind"],
			},
		},
		"a toleration that is none": {
			"site": {"tolerations": {{"bogus": 1}, "all"}},
			"answer": {"annotations": _eu_answer, "errors": [
				"site.placement: toleration \"all\": not an object",
				concat(" ", [
					"site.placement: toleration {\"bogus\":1}:",
					"unknown field bogus: use effect, key, operator, tolerationSeconds and value",
				]),
				"site.placement: toleration {\"bogus\":1}: without a key the operator is Exists",
			]},
		},
		"a spread that is none": {
			"site": {"spread": {{"by": "rack"}, {"by": "zone", "min": 2, "max": 1}}},
			"answer": {"annotations": _eu_answer, "errors": [
				concat(" ", [
					"site.placement: spread {\"by\":\"rack\"}:",
					"not by one of cluster, provider, region, zone with whole min and max",
				]),
				"site.placement: spread {\"by\":\"zone\",\"max\":1,\"min\":2}: min is above max",
			]},
		},
		"two spreads by one field": {
			"site": {"spread": {{"by": "zone", "min": 2}, {"by": "zone"}}},
			"answer": {
				"annotations": _eu_answer,
				"errors": ["spread: the object and this site's rules have 2 constraints by zone, one is taken"],
			},
		},
		"data that says nothing": {"site": {"x": 3, "y": {"z": {}}}, "answer": {"annotations": _eu_answer}},
	}
	tc.answer == _site_admission(_object(_demands, {}), tc.site)
}

# A site's rules alone put an object under policy.
test_site_alone[note] if {
	some note, tc in {
		"clusters": {"site": {"clusters": {"gce-us-east1"}}, "clusters": ["gce-us-east1"], "errors": []},
		"required": {"site": {"required": {"gce-us-east1"}}, "clusters": ["gce-us-east1"], "errors": []},
		"none": {"site": {"clusters": set()}, "clusters": [], "errors": [concat(" ", [
			"KFK-PLC-001: no cluster is left for ReplicaSet default/nginx-eu:",
			"the site's rules allow none of those that there are",
		])]},
	}
	thing := _wish_object({}, _wish(_weights(tc.clusters)))
	answer := _site_admission(thing, tc.site)
	errors := object.get(answer, "errors", [])
	tc.errors == errors
	_answer(tc.clusters, false) == answer.annotations
}

# About it, and none fits: a denial, as without `about`.
test_about_it_and_none_fits if {
	answer := _site_admission(_wish_object({}, _wish({})), {"x": {"about": {"eu"}, "clusters": set()}})
	count(answer.errors) == 1
	contains(answer.errors[0], "KFK-PLC-001")
}

# Clusters that are required are added to those that are requested, and to no others.
test_required_alone[note] if {
	some note, tc in {
		"no wishes": {"thing": _object({}, {}), "clusters": ["gce-us-east1"]},
		"wishes": {
			"thing": _wish_object({}, _wish(_weights(["gce-europe-west1"]))),
			"clusters": ["gce-europe-west1", "gce-us-east1"],
		},
	}
	some use in ["may", "must"]
	settings := _settings({"KFK-PLC-001": {"params": {"use": use}}})
	decision := federation.placement with input as tc.thing
		with data.kubernetes as _kubernetes
		with data.site.placement as {"required": {"gce-us-east1"}}
		with data.settings.compiled as settings
	decision.errors == []
	tc.clusters == sort(object.keys(decision.clusters))
}

test_why_a_site_is_about_an_object[note] if {
	some note, tc in {
		"a set": {"about": {"payments run here"}, "reasons": {"the site's rules are about it: payments run here"}},
		"a boolean": {"about": true, "reasons": set()},
	}
	decision := federation.placement with input as _object({}, {})
		with data.kubernetes as _kubernetes
		with data.site.placement as {"about": tc.about, "clusters": {"gce-us-east1"}}
		with data.settings.compiled as _settings({})
	{reason | some reason in decision.reasons} == tc.reasons | {"the site's rules leave gce-us-east1"}
}

# A site's rules read the object as `input`, as the design's own do.
test_a_site_sees_the_object if {
	said := federation.site(_object({"a": "b"}, {}))
	said.errors == set()
}

test_neutral if {
	annotations := object.union(_demands, {
		_tolerations: "[{\"key\": \"a\", \"operator\": \"Exists\"}]",
		_spread: "[{\"by\": \"region\", \"min\": 2}]",
		_preferences: _wish({"gce-europe-west1": {"weight": 2}, "gce-us-east1": {"weight": 1}}),
	})
	site := {"tolerations": {{"key": "b"}}, "spread": {{"by": "zone"}}, "clusters": {"gce-europe-west1"}}
	decision := federation.placement with input as _object(annotations, {"data-residency": "eu"})
		with data.kubernetes as _kubernetes
		with data.site.placement as site
		with data.settings.compiled as _settings({})
	decision == {
		"placed": true,
		"clusters": {"gce-europe-west1": {"weight": 2}},
		"rebalance": false,
		"tolerations": [{"key": "a", "operator": "Exists"}, {"key": "b"}],
		"spread": [{"by": "region", "min": 2}, {"by": "zone"}],
		"reasons": sort([
			sprintf("demanded: %s=true", [_eu]),
			sprintf("demanded: %s=2", [_pci]),
			"label data-residency=eu allows regions europe-*",
			"not allowed: gce-us-east1",
			"the site's rules leave gce-europe-west1",
		]),
		"errors": _invalid,
		"warnings": [],
	}
}

test_neutral_without_policy if {
	decision := federation.placement with input as _object({}, {}) with data.settings.compiled as _settings({})
	decision == {
		"placed": false,
		"clusters": {},
		"rebalance": true,
		"tolerations": [],
		"spread": [],
		"reasons": ["no policy is about this object"],
		"errors": [],
		"warnings": [],
	}
}

# A site's rules limit what may be requested, as demands do.
test_requests_beyond_a_sites_clusters[note] if {
	some note, tc in {
		"among them": {"requested": ["gce-europe-west1"], "errors": []},
		"one beyond": {
			"requested": ["gce-europe-west1", "gce-us-east1"],
			"errors": ["requested replica-set-preferences includes invalid clusters"],
		},
	}
	answer := _site_admission(_wish_object({}, _wish(_weights(tc.requested))), {"clusters": {"gce-europe-west1"}})
	errors := object.get(answer, "errors", [])
	[tc.errors, _answer(["gce-europe-west1"], false)] == [errors, answer.annotations]
}
