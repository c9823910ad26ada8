package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_managed_violation(field, what) := {
	"rule": "KFK-BRK-006",
	"severity": "high",
	"message": sprintf("%s is not known to be on", [what]),
	"fix": "turn it on with the provider, and have the cluster's state tell so",
	"path": ["managed", field],
	"patch": [],
}

_disks := _managed_violation("encryptionAtRest", "encryption at rest")

_logs := _managed_violation("brokerLogs", "the brokers' log")

test_managed[note] if {
	some note, tc in {
		"both on": {"state": {"managed": {"encryptionAtRest": true, "brokerLogs": true}}, "deny": set()},
		"disks": {"state": {"managed": {"encryptionAtRest": false, "brokerLogs": true}}, "deny": {_disks}},
		"logs": {"state": {"managed": {"encryptionAtRest": true, "brokerLogs": "yes"}}, "deny": {_logs}},
		"not in the state": {"state": {"managed": {"encryptionAtRest": true}}, "deny": {_logs}},
		"nothing known": {"state": {"brokers": {}}, "deny": {_disks, _logs}},
	}
	document := {"operation": "AuditBroker", "broker": "1", "params": {"KFK-BRK-006": {}}, "clusterState": tc.state}
	found := family.deny with input as document
	tc.deny == found
}
