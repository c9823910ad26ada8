package io.k8s.federation_test

import data.io.k8s.federation

_seconds := "tolerationSeconds is a whole number, and goes with the effect NoExecute only"

test_tolerations[note] if {
	some note, tc in {
		"a key": {"toleration": {"key": "a"}, "problems": set()},
		"everything": {"toleration": {"operator": "Exists"}, "problems": set()},
		"all fields": {
			"toleration": {"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute", "tolerationSeconds": 0},
			"problems": set(),
		},
		"nothing": {"toleration": {}, "problems": {"without a key the operator is Exists"}},
		"no key, and a value": {
			"toleration": {"key": "", "operator": "Equal", "value": "b"},
			"problems": {"without a key the operator is Exists"},
		},
		"a value that is not compared": {
			"toleration": {"key": "a", "operator": "Exists", "value": "b"},
			"problems": {"a value goes with the operator Equal only"},
		},
		"another operator": {
			"toleration": {"key": "a", "operator": "In"},
			"problems": {"operator \"In\" is not one of Equal, Exists"},
		},
		"another effect": {
			"toleration": {"key": "a", "effect": "NoSelect"},
			"problems": {"effect \"NoSelect\" is not one of NoExecute, NoSchedule, PreferNoSchedule"},
		},
		"no texts": {
			"toleration": {"key": 1, "value": null},
			"problems": {"key 1 is not a string", "value null is not a string"},
		},
		"seconds of another effect": {
			"toleration": {"key": "a", "effect": "NoSchedule", "tolerationSeconds": 1},
			"problems": {_seconds},
		},
		"half a second": {
			"toleration": {"key": "a", "effect": "NoExecute", "tolerationSeconds": 0.5},
			"problems": {_seconds},
		},
		"an unknown field": {
			"toleration": {"key": "a", "bogus": 1},
			"problems": {"unknown field bogus: use effect, key, operator, tolerationSeconds and value"},
		},
	}
	tc.problems == federation.toleration_problems(tc.toleration)
}
