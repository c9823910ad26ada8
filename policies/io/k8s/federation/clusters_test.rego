package io.k8s.federation_test

import data.io.k8s.federation

test_facts[note] if {
	some note, tc in {
		"Federation": {
			"cluster": {"metadata": {"annotations": {_pci: "2"}}, "status": {"region": "europe-west1", "zones": ["x"]}},
			"facts": {"regions": {"europe-west1"}, "jurisdictions": {"eu"}, "pciLevel": 2, "state": "ready"},
		},
		"Karmada": {
			"cluster": {"metadata": {"labels": {"pci-compliance-level": "1"}}, "spec": {"region": "us-east1"}},
			"facts": {"regions": {"us-east1"}, "jurisdictions": set(), "pciLevel": 1, "state": "ready"},
		},
		"a label of Kubernetes": {
			"cluster": {"metadata": {"labels": {"topology.kubernetes.io/region": "eu-west-1"}}},
			"facts": {"regions": {"eu-west-1"}, "jurisdictions": {"eu"}, "pciLevel": null, "state": "ready"},
		},
		"zones where there is no region": {
			"cluster": {"status": {"region": "", "zones": ["europe-west1-b", "europe-west1-c"]}},
			"facts": {
				"regions": {"europe-west1-b", "europe-west1-c"}, "jurisdictions": {"eu"},
				"pciLevel": null, "state": "ready",
			},
		},
		"zones not all of which lie there": {
			"cluster": {"status": {"zones": ["europe-west1-b", "us-east1-c"]}},
			"facts": {"regions": {"europe-west1-b", "us-east1-c"}, "jurisdictions": set(), "pciLevel": null, "state": "ready"},
		},
		"stated": {
			"cluster": {
				"metadata": {"labels": {"policy.federation.alpha.kubernetes.io/jurisdiction": "UK"}},
				"status": {"region": "europe-west2"},
			},
			"facts": {"regions": {"europe-west2"}, "jurisdictions": {"uk"}, "pciLevel": null, "state": "ready"},
		},
		"nothing": {"cluster": {}, "facts": {"regions": set(), "jurisdictions": set(), "pciLevel": null, "state": "ready"}},
		"a level that is a number": {
			"cluster": {"metadata": {"annotations": {_pci: 2}}},
			"facts": {"regions": set(), "jurisdictions": set(), "pciLevel": 2, "state": "ready"},
		},
		"OCM: a claim of its own": {
			"cluster": {"status": {"clusterClaims": [
				{"name": "id.k8s.io", "value": "a"},
				{"name": "region.open-cluster-management.io", "value": "eu-west-1"},
			]}},
			"facts": {"regions": {"eu-west-1"}, "jurisdictions": {"eu"}, "pciLevel": null, "state": "ready"},
		},
		"OCM: a label of the hub before a claim": {
			"cluster": {
				"metadata": {"labels": {"topology.kubernetes.io/region": "us-east1"}},
				"status": {"clusterClaims": [{"name": "region.open-cluster-management.io", "value": "eu-west-1"}]},
			},
			"facts": {"regions": {"us-east1"}, "jurisdictions": set(), "pciLevel": null, "state": "ready"},
		},
		"OCM: a claim of nothing": {
			"cluster": {"status": {"clusterClaims": [{"name": "region.open-cluster-management.io", "value": ""}]}},
			"facts": {"regions": set(), "jurisdictions": set(), "pciLevel": null, "state": "ready"},
		},
		"KubeFleet": {
			"cluster": {"metadata": {"labels": {"fleet.azure.com/location": "swedencentral"}}},
			"facts": {"regions": {"swedencentral"}, "jurisdictions": {"eu"}, "pciLevel": null, "state": "ready"},
		},
		"a level that is none": {
			"cluster": {"metadata": {"annotations": {_pci: "high"}}},
			"facts": {"regions": set(), "jurisdictions": set(), "pciLevel": null, "state": "ready"},
		},
	}
	tc.facts == federation.facts(tc.cluster)
}

test_regions_taken_out if {
	rows := {"eu": {"regions": ["europe-*"], "except": ["europe-west2"]}}
	found := {region |
		some region in ["europe-west1", "europe-west2", "us-east1"]
		facts := federation.facts({"status": {"region": region}}) with data.catalog.placement.jurisdictions as rows
		"eu" in facts.jurisdictions
	}
	found == {"europe-west1"}
}

_index := result if {
	result := federation.index with input as {"clusters": _clusters}
}

test_index if {
	_index == {
		"facts": {},
		"jurisdiction": {"eu": {"gce-europe-west1": true, "gce-europe-west2": true, "gce-europe-west3": true}},
		"pciLevel": {
			"1": {"gce-europe-west3": true},
			"2": {"gce-europe-west1": true},
			"3": {"gce-europe-west2": true, "gce-us-east1": true},
		},
		"region": {
			"europe-west1": {"gce-europe-west1": true},
			"europe-west2": {"gce-europe-west2": true},
			"europe-west3": {"gce-europe-west3": true},
			"us-east1": {"gce-us-east1": true},
		},
	}
}

# With the index and without it the same clusters are found.
test_the_index_changes_nothing[note] if {
	some note, needs in {
		"none": [],
		"jurisdiction": [["jurisdiction", "eu"]],
		"level": [["pciLevel", 2]],
		"level of none": [["pciLevel", 4]],
		"both": [["jurisdiction", "eu"], ["pciLevel", 2]],
		"regions": [["regions", ["us-*", "europe-west1"]]],
		"all": [["jurisdiction", "eu"], ["pciLevel", 3], ["regions", ["europe-*"]]],
		"contradicting": [["regions", ["us-*"]], ["regions", ["europe-*"]]],
	}
	scanned := federation.ready_clusters(needs) with data.kubernetes as _kubernetes
	indexed := federation.ready_clusters(needs) with data.kubernetes as object.union(_kubernetes, {"clusterIndex": _index})
	scanned == indexed
}

# An index that is old names clusters that are gone, or not what they were: it cannot place anything.
test_an_old_index_places_nothing_wrong if {
	old := object.union(_kubernetes, {"clusterIndex": {
		"jurisdiction": {"eu": {"gce-us-east1": true, "gone": true, "gce-europe-west1": true}},
		"pciLevel": {},
		"region": {},
	}})
	found := federation.ready_clusters([["jurisdiction", "eu"]]) with data.kubernetes as old
	found == {"gce-europe-west1"}
}

_versioned(thing, version) := json.patch(
	thing,
	[{"op": "add", "path": "/metadata/resourceVersion", "value": version}],
)

# What an object is, by the version in which it was found.
test_facts_are_kept_of_objects_with_a_version if {
	clusters := {
		"a": _versioned(_cluster("europe-west1", "2"), "7"),
		"b": _cluster("us-east1", "1"),
	}
	index := federation.index with input as {"clusters": clusters}
	index.facts == {"a": {
		"regions": {"europe-west1"},
		"jurisdictions": {"eu"},
		"pciLevel": 2,
		"state": "ready",
		"resourceVersion": "7",
	}}
}

# What is kept counts for the version that the cluster has, and for no other.
test_kept_facts[note] if {
	some note, tc in {
		"of this version": {"version": "7", "found": {"a"}},
		"of an older one": {"version": "6", "found": set()},
		"of one without a version": {"version": null, "found": set()},
	}
	kept := {
		"regions": ["europe-west1"], "jurisdictions": ["eu"], "pciLevel": 2, "state": "ready",
		"resourceVersion": tc.version,
	}
	kubernetes := {
		"clusters": {"a": _versioned(_cluster("us-east1", "1"), "7")},
		"clusterIndex": {"jurisdiction": {"eu": {"a": true}}, "pciLevel": {}, "region": {}, "facts": {"a": kept}},
	}
	found := federation.ready_clusters([["jurisdiction", "eu"]]) with data.kubernetes as kubernetes
	tc.found == found
}

test_clusters_of_other_types if {
	kubernetes := {
		"managedclusters": {"a": _cluster("europe-west1", "1")},
		"memberclusters": {"b": _cluster("us-east1", "1")},
	}
	found := federation.ready_clusters([["jurisdiction", "eu"]]) with data.kubernetes as kubernetes
	found == {"a"}
}

# Where a cluster lies has to be known before it can be said to lie where it should.
test_a_cluster_without_regions_meets_no_need_of_regions if {
	kubernetes := {"clusters": {"a": {"metadata": {}, "status": {}}, "b": _cluster("us-east1", "1")}}
	found := federation.ready_clusters([["regions", ["*"]]]) with data.kubernetes as kubernetes
	found == {"b"}
}

test_clusters_known[note] if {
	some note, tc in {
		"one": {"kubernetes": {"clusters": {"a": {}}}, "known": [true]},
		"none of a type": {"kubernetes": {"clusters": {}}, "known": []},
		"no type": {"kubernetes": {}, "known": []},
		"some, of which more are being loaded": {
			"kubernetes": {"clusters": {"a": {}}, "meta": {"loading": true}},
			"known": [],
		},
	}
	tc.known == [true | federation.has_clusters with data.kubernetes as tc.kubernetes]
}

test_states_of_clusters[note] if {
	some note, tc in {
		"nothing said": {"cluster": {}, "state": "ready"},
		"Karmada, ready": {"cluster": _conditioned_cluster("Ready", "True"), "state": "ready"},
		"Karmada, not ready": {"cluster": _conditioned_cluster("Ready", "False"), "state": "unready"},
		"Karmada, not seen for long": {"cluster": _conditioned_cluster("Ready", "Unknown"), "state": "unready"},
		"OCM": {"cluster": _conditioned_cluster("ManagedClusterConditionAvailable", "Unknown"), "state": "unready"},
		"KubeFleet": {"cluster": _conditioned_cluster("Joined", "False"), "state": "unready"},
		"a condition of others": {"cluster": _conditioned_cluster("MemoryPressure", "False"), "state": "ready"},
		"being deleted": {
			"cluster": object.union(_conditioned_cluster("Ready", "True"), {"metadata": {"deletionTimestamp": "t"}}),
			"state": "leaving",
		},
	}
	tc.state == federation.facts(tc.cluster).state
}

_conditioned_cluster(type, status) := {"metadata": {}, "status": {"conditions": [
	{"type": "Other", "status": "True"},
	{"type": type, "status": status},
]}}

# What was kept before states were is worked out again.
test_kept_facts_without_a_state if {
	kept := {"regions": ["europe-west1"], "jurisdictions": ["eu"], "pciLevel": 2, "resourceVersion": "7"}
	kubernetes := {
		"clusters": {"a": _versioned(_cluster("us-east1", "1"), "7")},
		"clusterIndex": {"jurisdiction": {"eu": {"a": true}}, "pciLevel": {}, "region": {}, "facts": {"a": kept}},
	}
	found := federation.ready_clusters([["jurisdiction", "eu"]]) with data.kubernetes as kubernetes
	found == set()
}
