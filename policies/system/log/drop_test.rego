package system.log_test

import data.system.log

test_what_is_dropped[note] if {
	some [note, event, dropped] in [
		["a batch of a scan", {"path": "kafka/decisions", "input": {"common": {"enforcementPoint": "scan"}}}, false],
		["one decision for a scan", {"path": "kafka/decision", "input": {"enforcementPoint": "scan"}}, false],
		["no input", {"path": "catalog/rules"}, false],
		["a replica", {"path": "clusters/prod-eu"}, true],
		["a part of a replica", {"path": "kubernetes/members/a/meta"}, true],
		["all replicas", {"path": "clusters"}, true],
		["what rules read", {"path": "kafka/required_state"}, true],
		["the index of clusters", {"path": "io/k8s/federation/index", "input": {"clusters": {}}}, true],
		["a name that begins the same", {"path": "clustersize/a"}, false],
		["a placement", {"path": "io/k8s/federation/placement", "input": {}}, false],
	]
	log.drop == dropped with input as event
}
