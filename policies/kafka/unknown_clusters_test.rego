package kafka_test

import data.kafka

_unknown_clusters(named, rows, replicated) := answer if {
	compiled := {"clusters": [{"match": {"name": name}, "layer": {}} | some name in rows]}
	answer := kafka.unknown_clusters with input as {"clusters": named}
		with data.settings.compiled as compiled
		with data.clusters as replicated
}

test_unknown_clusters[note] if {
	some note, tc in {
		"nothing is named": {"rows": [], "replicated": {}, "said": {}},
		"by settings": {"rows": ["prod-eu"], "replicated": {}, "said": {}},
		"by a pattern": {"rows": ["prod-*"], "replicated": {}, "said": {}},
		"replicated": {"rows": ["lab"], "replicated": {"prod-eu": {"meta": {}}}, "said": {}},
		"misspelt": {
			"rows": ["prod-us"],
			"replicated": {"prod-ue": {"meta": {}}},
			"said": {"prod-eu": concat(" ", [
				"cluster prod-eu: no settings name it, and no state of it is replicated",
				"(did you mean prod-ue?)",
			])},
		},
		"like nothing": {
			"rows": ["lab-*"],
			"replicated": {},
			"said": {"prod-eu": "cluster prod-eu: no settings name it, and no state of it is replicated"},
		},
	}
	_unknown_clusters(["prod-eu"], tc.rows, tc.replicated) == tc.said
}

test_unknown_clusters_of_an_input_that_has_none[note] if {
	some note, names in {"null": null, "a number": 7, "no texts": [7, null], "none": []}
	_unknown_clusters(names, ["lab"], {}) == {}
}
