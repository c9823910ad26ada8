package io.k8s.federation_test

import data.io.k8s.federation

_states(document, kubernetes, site) := result if {
	result := federation.cluster_states with input as document
		with data.kubernetes as kubernetes
		with data.site.placement as site
}

_one := {"clusters": {"a": {"metadata": {"resourceVersion": "7"}, "status": {"region": "us-east1"}}}}

_fact := {"jurisdictions": set(), "pciLevel": null, "regions": {"us-east1"}, "state": "ready"}

test_cluster_states[note] if {
	some note, tc in {
		"without a revision": {"input": {}, "kubernetes": _one, "answer": {"revision": null, "clusters": {"a": _fact}}},
		"of another revision": {
			"input": {"revision": "1"},
			"kubernetes": object.union(_one, {"meta": {"revision": "2"}}),
			"answer": {"revision": "2", "clusters": {"a": _fact}},
		},
		"of the same revision": {
			"input": {"revision": "2"},
			"kubernetes": object.union(_one, {"meta": {"revision": "2"}}),
			"answer": {"revision": "2"},
		},
		"of no revision, and none is wished": {
			"input": {"revision": null},
			"kubernetes": _one,
			"answer": {"revision": null, "clusters": {"a": _fact}},
		},
		"nothing known": {"input": {"revision": "2"}, "kubernetes": {}, "answer": {"revision": null, "clusters": {}}},
	}
	object.union({"policies": null}, tc.answer) == _states(tc.input, tc.kubernetes, {})
}

test_policies_of_config_maps_count if {
	loaded := {"complete": true, "policies": {"configmaps/a/b/c.rego": "1"}, "data": "2"}
	said := _states({}, _one, {}) with data.site.loaded as loaded
	said.policies == loaded
}

test_all_of_a_cluster_counts_where_a_site_has_rules if {
	said := _states({}, _one, {"errors": set()})
	said.clusters.a.resourceVersion == "7"
}

test_before_anything_is_replicated if {
	federation.cluster_states == {"policies": null, "revision": null, "clusters": {}}
}
