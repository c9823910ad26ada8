package io.k8s.federation_test

import data.io.k8s.federation

_from(source) := {"KFK-PLC-003": {
	"mode": "deny",
	"params": {"attempts": 3, "onError": "fail", "policiesFrom": source},
}}

# What the replicator has loaded of ConfigMaps, and the errors of an object that demands nothing.
test_policies_of_config_maps[note] if {
	some note, tc in {
		"none expected": {"loaded": {}, "from": "bundle", "errors": []},
		"none loaded": {
			"loaded": {},
			"from": "configMaps",
			"errors": ["KFK-PLC-003: no policies of ConfigMaps are loaded"],
		},
		"half of them": {
			"loaded": {"complete": false},
			"from": "bundle",
			"errors": ["KFK-PLC-003: the policies of ConfigMaps are not all loaded"],
		},
		"half of those expected": {
			"loaded": {"complete": false},
			"from": "configMaps",
			"errors": ["KFK-PLC-003: the policies of ConfigMaps are not all loaded"],
		},
		"all": {"loaded": {"complete": true}, "from": "configMaps", "errors": []},
		"all, where none are expected": {"loaded": {"complete": true}, "from": "bundle", "errors": []},
	}
	answer := federation.admission with input as _object({}, {})
		with data.kubernetes as {}
		with data.site.loaded as tc.loaded
		with data.settings.compiled as _settings(_from(tc.from))
	errors := object.get(answer, "errors", [])
	errors == tc.errors
}
