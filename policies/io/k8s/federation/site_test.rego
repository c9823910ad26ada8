package io.k8s.federation_test

import data.io.k8s.federation

_with_site(thing, site) := _admit(thing, {}, _kubernetes, site)

_both := _answer(["gce-europe-west1", "gce-europe-west2"], true)

test_site[note] if {
	some note, tc in {
		"an annotation": {
			"site": {"annotations": {"a": {"1"}}},
			"answer": {"annotations": object.union(_both, {"a": "1"})},
		},
		"in one value, as the design writes it": {
			"site": {"annotations": {"a": {"b": [1]}}},
			"answer": {"annotations": object.union(_both, {"a": {"b": [1]}})},
		},
		"the same from two teams": {
			"site": {"x": {"annotations": {"a": {"{\"b\": 1}"}}}, "y": {"annotations": {"a": {{"b": 1}}}}},
			"answer": {"annotations": object.union(_both, {"a": "{\"b\": 1}"})},
		},
		"texts that look like JSON": {
			"site": {"annotations": {"a": "1.10", "b": {"1e3"}, "c": "\"q\"", "d": {"null"}, "e": " 1", "f": "[1, 2]"}},
			"answer": {"annotations": object.union(_both, {
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
			"answer": {"annotations": object.union(_both, {"a": "12345678901234567890.5", "b": "true", "c": "0"})},
		},
		"a number and its text": {
			"site": {"x": {"annotations": {"a": {1}}}, "y": {"annotations": {"a": {"1"}}}},
			"answer": {"annotations": object.union(_both, {"a": "1"})},
		},
		"two texts of one object": {
			"site": {"annotations": {"a": {"{\"b\":1}", "{ \"b\": 1}"}}},
			"answer": {"annotations": object.union(_both, {"a": "{ \"b\": 1}"})},
		},
		"two texts of one number": {
			"site": {"annotations": {"a": {"1.1", "1.10"}}},
			"answer": {
				"annotations": _both,
				"errors": ["annotation a: rules set it differently, to \"1.1\" and to \"1.10\""],
			},
		},
		"null and its text": {
			"site": {"annotations": {"a": {null, "null"}}},
			"answer": {
				"annotations": _both,
				"errors": ["annotation a: a rule sets it to null; an annotation cannot be taken away"],
			},
		},
		"differently by two teams": {
			"site": {"x": {"annotations": {"a": {"b"}}}, "y": {"annotations": {"a": {"c"}}}},
			"answer": {
				"annotations": _both,
				"errors": ["annotation a: rules set it differently, to \"b\" and to \"c\""],
			},
		},
		"differently by one team": {
			"site": {"annotations": {"a": {1, 2}}},
			"answer": {"annotations": _both, "errors": ["annotation a: rules set it differently, to 1 and to 2"]},
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
				"annotations": _both,
				"errors": ["annotation a: a rule sets it to null; an annotation cannot be taken away"],
			},
		},
		"no annotations at all": {
			"site": {"annotations": ["a"]},
			"answer": {
				"annotations": _both,
				"errors": ["site.placement: annotations is not an object of annotations to values"],
			},
		},
		"an error": {"site": {"errors": {"no"}}, "answer": {"annotations": _both, "errors": ["no"]}},
		"an error of a team": {"site": {"x": {"errors": {"no"}}}, "answer": {"annotations": _both, "errors": ["no"]}},
		"an error that is no set": {"site": {"errors": "no"}, "answer": {"annotations": _both, "errors": ["no"]}},
		"an error that is no text": {"site": {"errors": true}, "answer": {"annotations": _both, "errors": ["true"]}},
		"a warning": {"site": {"warnings": {"mind"}}, "answer": {"annotations": _both, "warnings": ["mind"]}},
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
			"answer": {"annotations": _both},
		},
		"a cluster that must be used and may not": {
			"site": {"required": {"gce-us-east1"}},
			"answer": {
				"annotations": _both,
				"errors": ["cluster gce-us-east1 is required by this site's rules, and not allowed"],
			},
		},
		"data that says nothing": {"site": {"x": 3, "y": {"z": {}}}, "answer": {"annotations": _both}},
	}
	tc.answer == _with_site(_object(_demands, {}), tc.site)
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
	thing := _asking({}, _wish(_of(tc.clusters)))
	answer := _with_site(thing, tc.site)
	errors := object.get(answer, "errors", [])
	tc.errors == errors
	_answer(tc.clusters, false) == answer.annotations
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
