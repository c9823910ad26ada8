package io.k8s.federation_test

import data.io.k8s.federation

_states(document, kubernetes, site) := result if {
	result := federation.cluster_states with input as document
		with data.kubernetes as kubernetes
		with data.site.placement as site
}

_one := {"clusters": {"a": {"metadata": {"resourceVersion": "7"}, "status": {"region": "us-east1"}}}}

_fact := {"jurisdictions": set(), "pciLevel": null, "regions": {"us-east1"}}

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
		"nothing known": {"input": {"revision": "2"}, "kubernetes": {}, "answer": {"revision": null, "clusters": {}}},
	}
	tc.answer == _states(tc.input, tc.kubernetes, {})
}

test_all_of_a_cluster_counts_where_a_site_has_rules if {
	said := _states({}, _one, {"errors": set()})
	said.clusters.a.resourceVersion == "7"
}
