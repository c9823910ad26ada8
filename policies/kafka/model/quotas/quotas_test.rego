package kafka.model.quotas_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.quotas

_state := {
	"quotas": {
		"user=alice": {"producer_byte_rate": 1, "consumer_byte_rate": 2},
		"user=alice,client-id=app": {"producer_byte_rate": 3},
		"user=<default>": {"producer_byte_rate": 4},
		"user=alice%2Cclient-id=app": {"producer_byte_rate": 6},
		"user=%3Cdefault>": {"producer_byte_rate": 7},
		"user=100%25": {"producer_byte_rate": 8},
		"ip=10.0.0.1": {"connection_creation_rate": 5},
	},
	"meta": fixtures.state.meta,
}

_document(entity, ops) := {
	"operation": "AlterQuota",
	"cluster": "prod-eu",
	"now": fixtures.now,
	"request": {"entity": entity, "ops": ops},
	"clusterState": _state,
}

test_current_is_found_by_the_entity[note] if {
	some note, tc in {
		"user": {"entity": {"user": "alice"}, "current": {"producer_byte_rate": 1, "consumer_byte_rate": 2}},
		"user and client": {"entity": {"clientId": "app", "user": "alice"}, "current": {"producer_byte_rate": 3}},
		"the default user": {"entity": {"user": null}, "current": {"producer_byte_rate": 4}},
		"a user who is called like a user and client": {
			"entity": {"user": "alice,client-id=app"},
			"current": {"producer_byte_rate": 6},
		},
		"a user who is called like the default": {"entity": {"user": "<default>"}, "current": {"producer_byte_rate": 7}},
		"a user with a percent sign": {"entity": {"user": "100%"}, "current": {"producer_byte_rate": 8}},
		"address": {"entity": {"ip": "10.0.0.1"}, "current": {"connection_creation_rate": 5}},
		"none yet": {"entity": {"user": "alic"}, "current": {}},
	}
	{"quotas": tc.current} == quotas.prepared(_document(tc.entity, []), {"now": 1, "params": {}}).current
}

test_requested[note] if {
	some note, tc in {
		"nothing": {"ops": [], "requested": {"producer_byte_rate": 1, "consumer_byte_rate": 2}},
		"set": {
			"ops": [{"key": "request_percentage", "value": 50}],
			"requested": {"producer_byte_rate": 1, "consumer_byte_rate": 2, "request_percentage": 50},
		},
		"set anew": {
			"ops": [{"key": "producer_byte_rate", "value": 9, "remove": false}],
			"requested": {"producer_byte_rate": 9, "consumer_byte_rate": 2},
		},
		"remove": {"ops": [{"key": "producer_byte_rate", "remove": true}], "requested": {"consumer_byte_rate": 2}},
		"remove what is not there": {
			"ops": [{"key": "request_percentage", "remove": true}],
			"requested": {"producer_byte_rate": 1, "consumer_byte_rate": 2},
		},
	}
	{"quotas": tc.requested} == quotas.prepared(_document({"user": "alice"}, tc.ops), {"now": 1, "params": {}}).requested
}

_scram(request) := object.union(
	object.remove(_document({}, []), ["request", "operation"]),
	{"operation": "AlterScram", "request": object.union({"user": "alice", "mechanism": "SCRAM-SHA-256"}, request)},
)

test_scram[note] if {
	some note, tc in {
		"set": {"request": {"iterations": 8192}, "iterations": 8192, "remove": false},
		"remove": {"request": {"remove": true}, "iterations": -1, "remove": true},
	}
	prepared := quotas.scram(_scram(tc.request), {"now": 1, "params": {"p": 1}})
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

test_decided[note] if {
	some note, document in {
		"quota": _document({"user": "alice"}, [{"key": "producer_byte_rate", "value": 1}]),
		"scram": _scram({"iterations": 8192}),
	}
	fixtures.allowed == fixtures.decide(document, {})
}
