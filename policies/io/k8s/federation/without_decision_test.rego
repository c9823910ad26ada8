package io.k8s.federation_test

import data.io.k8s.federation

test_without_decision[note] if {
	some note, tc in {
		"as set": {
			"rule": {"mode": "deny", "params": {"attempts": 5, "onError": "ignore", "policiesFrom": "bundle"}},
			"said": {"attempts": 5, "onError": "ignore"},
		},
		"disabled": {
			"rule": {"mode": "disabled", "params": {"attempts": 5, "onError": "ignore"}},
			"said": {"onError": "fail"},
		},
	}
	said := federation.without_decision with data.settings.compiled as _settings({"KFK-PLC-003": tc.rule})
	said == tc.said
}

test_without_decision_and_settings if {
	said := federation.without_decision with data.settings.compiled as {}
	said == {"onError": "fail"}
}
