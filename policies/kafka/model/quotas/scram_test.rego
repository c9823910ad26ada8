package kafka.model.quotas_test

import data.kafka.model.quotas

_users := {"alice": {"scram": {"SCRAM-SHA-256": {"iterations": 8192}}}, "bob": {}}

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
	document := object.union(_scram(tc.request), {"clusterState": {"users": _users}})
	tc.refused == {$"{refusal.name}: {refusal.message}" | some refusal in quotas.scram_refusals(document)}
}

test_removed_where_users_are_not_known if {
	quotas.scram_refusals(_scram({"user": "eve", "remove": true})) == set()
}
