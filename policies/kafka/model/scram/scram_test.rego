package kafka.model.scram_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.scram

_users := {"alice": {"scram": {"SCRAM-SHA-256": {"iterations": 8192}}}, "bob": {}}

_document(request) := {
	"operation": "AlterScram",
	"cluster": "prod-eu",
	"now": fixtures.now,
	"request": object.union({"user": "alice", "mechanism": "SCRAM-SHA-256"}, request),
	"clusterState": {"meta": fixtures.state.meta},
}

test_prepared[note] if {
	some note, tc in {
		"set": {"request": {"iterations": 8192}, "iterations": 8192, "remove": false},
		"remove": {"request": {"remove": true}, "iterations": -1, "remove": true},
	}
	prepared := scram.prepared(_document(tc.request), {"now": 1, "params": {"p": 1}})
	object.filter(prepared, ["user", "mechanism", "iterations", "remove", "labels", "current", "requested", "params"]) == {
		"user": "alice",
		"mechanism": "SCRAM-SHA-256",
		"iterations": tc.iterations,
		"remove": tc.remove,
		"labels": {},
		"current": null,
		"requested": null,
		"params": {"p": 1},
	}
}

test_credentials_refused[note] if {
	few := {"UNACCEPTABLE_CREDENTIAL: Too few iterations"}
	many := {"UNACCEPTABLE_CREDENTIAL: Too many iterations"}
	gone := {"RESOURCE_NOT_FOUND: Attempt to delete a user credential that does not exist"}
	some note, tc in {
		"the least": {"request": {"iterations": 4096}, "refused": set()},
		"the most": {"request": {"iterations": 16384}, "refused": set()},
		"too few": {"request": {"iterations": 4095}, "refused": few},
		"too many": {"request": {"iterations": 16385}, "refused": many},
		"none": {"request": {}, "refused": few},
		"nobody": {
			"request": {"user": "", "mechanism": "x"},
			"refused": {"UNACCEPTABLE_CREDENTIAL: Username must not be empty"},
		},
		"no mechanism of Kafka's": {
			"request": {"mechanism": "PLAIN", "iterations": 1},
			"refused": {"UNSUPPORTED_SASL_MECHANISM: Unknown SCRAM mechanism"},
		},
		"removed": {"request": {"remove": true, "iterations": 1}, "refused": set()},
		"removed of another mechanism": {"request": {"mechanism": "SCRAM-SHA-512", "remove": true}, "refused": gone},
		"removed of nobody known": {"request": {"user": "eve", "remove": true}, "refused": gone},
		"removed of whom more is not known": {"request": {"user": "bob", "remove": true}, "refused": set()},
	}
	document := object.union(_document(tc.request), {"clusterState": {"users": _users}})
	tc.refused == {$"{refusal.name}: {refusal.message}" | some refusal in scram.refusals(document)}
}

test_removed_where_users_are_not_known if {
	scram.refusals(_document({"user": "eve", "remove": true})) == set()
}

test_decided if {
	fixtures.allowed == fixtures.decide(_document({"iterations": 8192}), {})
}
