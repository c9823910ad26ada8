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

test_decided if {
	document := _document({"user": "alice"}, [{"key": "producer_byte_rate", "value": 1}])
	fixtures.allowed == fixtures.decide(document, {})
}
