package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_listener_params := {"KFK-BRK-005": {"allowedProtocols": ["SSL", "SASL_SSL"]}}

_speaks(listener, protocol) := {
	"rule": "KFK-BRK-005",
	"severity": "critical",
	"message": sprintf("listener %s speaks %s, not SSL or SASL_SSL", [listener, protocol]),
	"fix": "map the listener's name to one of SSL or SASL_SSL in listener.security.protocol.map",
	"path": ["configs", "listeners"],
	"patch": [],
}

_map := "CLIENTS:SASL_SSL, internal: plaintext,CONTROLLER:SSL"

test_listeners[note] if {
	some note, tc in {
		"encrypted": {"overrides": {"listeners": "SSL://:9093,SASL_SSL://h:9094"}, "deny": set()},
		"Kafka's own": {"overrides": {}, "deny": {_speaks("PLAINTEXT://:9092", "PLAINTEXT")}},
		"one of two": {
			"overrides": {"listeners": "SSL://:9093,SASL_PLAINTEXT://:9092"},
			"deny": {_speaks("SASL_PLAINTEXT://:9092", "SASL_PLAINTEXT")},
		},
		"one that is empty, after a comma": {"overrides": {"listeners": "SSL://:9093,SASL_SSL://h:9094, "}, "deny": set()},
		"by names of their own": {
			"overrides": {"listeners": "CLIENTS://:9093,CONTROLLER://:9094", "listener.security.protocol.map": _map},
			"deny": set(),
		},
		"by a name in another case": {
			"overrides": {"listeners": "clients://:9093,Internal://:9092", "listener.security.protocol.map": _map},
			"deny": {_speaks("Internal://:9092", "PLAINTEXT")},
		},
		"by a name that is not in the map": {
			"overrides": {"listeners": "CONTROLLER://:9093"},
			"deny": {_speaks("CONTROLLER://:9093", "PLAINTEXT")},
		},
		"a known name that the map gives another protocol": {
			"overrides": {"listeners": "SSL://:9093", "listener.security.protocol.map": "SSL:PLAINTEXT"},
			"deny": {_speaks("SSL://:9093", "PLAINTEXT")},
		},
		"a name that the map has twice": {
			"overrides": {"listeners": "A://:9093", "listener.security.protocol.map": "A:SSL,A:PLAINTEXT"},
			"deny": {_speaks("A://:9093", "PLAINTEXT")},
		},
		"a map that cannot be read": {
			"overrides": {"listeners": "SSL://:9093", "listener.security.protocol.map": "SSL"},
			"deny": {_speaks("SSL://:9093", "PLAINTEXT")},
		},
	}
	found := family.deny with input as _broker("StartBroker", "1", _listener_params, tc.overrides, {})
	tc.deny == found
}

test_listeners_of_all_brokers[note] if {
	some note, tc in {
		"nothing set": {"overrides": {}, "deny": set()},
		"set without a map": {"overrides": {"listeners": "SASL_SSL://:9094"}, "deny": set()},
		"plaintext": {
			"overrides": {"listeners": "PLAINTEXT://:9092"},
			"deny": {_speaks("PLAINTEXT://:9092", "PLAINTEXT")},
		},
	}
	found := family.deny with input as _broker("AlterBroker", "", _listener_params, tc.overrides, {})
	tc.deny == found
}

test_listeners_operations[operation] if {
	some operation, n in _whole_state
	found := family.deny with input as _broker(operation, "1", _listener_params, {}, {})
	paths := {0: [], 1: [["configs", "listeners"]]}
	paths[n] == [violation.path | some violation in found]
}
