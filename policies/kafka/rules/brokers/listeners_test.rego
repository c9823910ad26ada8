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

_takes_anyone(listener, config, value) := {
	"rule": "KFK-BRK-005",
	"severity": "critical",
	"message": sprintf("listener %s takes clients without a certificate, as %s is %s", [listener, config, value]),
	"fix": sprintf("set %s to required, and give each client a certificate", [config]),
	"path": ["configs", config],
	"patch": [],
}

# What a file says so that SSL knows who connects.
_certified := {"ssl.client.auth": "required"}

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
	overrides := object.union(_certified, tc.overrides)
	found := family.deny with input as _broker("StartBroker", "1", _listener_params, overrides, {})
	tc.deny == found
}

# Kafka reads a name up to "://", and an entry of the map up to its last colon.
test_listeners_with_a_colon_in_the_name[note] if {
	some note, tc in {
		"encrypted": {"map": "A:SSL:SASL_SSL", "deny": set()},
		"with a protocol's name in it": {"map": "a:ssl:PLAINTEXT", "deny": {_speaks("A:SSL://:9093", "PLAINTEXT")}},
		"beside the first half of the name": {
			"map": "A:SSL,A:SSL:PLAINTEXT",
			"deny": {_speaks("A:SSL://:9093", "PLAINTEXT")},
		},
	}
	overrides := object.union(_certified, {"listeners": "A:SSL://:9093", "listener.security.protocol.map": tc.map})
	found := family.deny with input as _broker("StartBroker", "1", _listener_params, overrides, {})
	tc.deny == found
}

test_listeners_without_certificates[note] if {
	own := "listener.name.clients.ssl.client.auth"
	mapped := {"listeners": "CLIENTS://:9093", "listener.security.protocol.map": "CLIENTS:SSL"}
	some note, tc in {
		"Kafka's own": {
			"overrides": {"listeners": "SSL://:9093"},
			"deny": {_takes_anyone("SSL://:9093", "ssl.client.auth", "none")},
		},
		"none": {
			"overrides": {"listeners": "SSL://:9093", "ssl.client.auth": "none"},
			"deny": {_takes_anyone("SSL://:9093", "ssl.client.auth", "none")},
		},
		"requested only": {
			"overrides": {"listeners": "SSL://:9093", "ssl.client.auth": "requested"},
			"deny": {_takes_anyone("SSL://:9093", "ssl.client.auth", "requested")},
		},
		"required": {"overrides": {"listeners": "SSL://:9093", "ssl.client.auth": " required"}, "deny": set()},
		"of SASL": {"overrides": {"listeners": "SASL_SSL://:9094"}, "deny": set()},
		"required of this listener": {"overrides": object.union(mapped, {own: "required"}), "deny": set()},
		"required, but of this listener": {
			"overrides": object.union(mapped, {own: "none", "ssl.client.auth": "required"}),
			"deny": {_takes_anyone("CLIENTS://:9093", own, "none")},
		},
		"required of another listener": {
			"overrides": object.union(mapped, {"listener.name.x.ssl.client.auth": "required"}),
			"deny": {_takes_anyone("CLIENTS://:9093", "ssl.client.auth", "none")},
		},
		"required in capitals, which Kafka does not read": {
			"overrides": object.union(mapped, {"listener.name.CLIENTS.ssl.client.auth": "required"}),
			"deny": {_takes_anyone("CLIENTS://:9093", "ssl.client.auth", "none")},
		},
		"of controllers": {
			"overrides": {
				"listeners": "SASL_SSL://:9094,CONTROLLER://:9093",
				"listener.security.protocol.map": "SASL_SSL:SASL_SSL,CONTROLLER:SSL",
				"controller.listener.names": "CONTROLLER",
			},
			"deny": {_takes_anyone("CONTROLLER://:9093", "ssl.client.auth", "none")},
		},
		"of brokers": {
			"overrides": {
				"listeners": "SASL_SSL://:9094,Between://:9093",
				"listener.security.protocol.map": "SASL_SSL:SASL_SSL,BETWEEN:ssl",
				"inter.broker.listener.name": "BETWEEN",
				"listener.name.between.ssl.client.auth": "requested",
			},
			"deny": {_takes_anyone("Between://:9093", "listener.name.between.ssl.client.auth", "requested")},
		},
	}
	found := family.deny with input as _broker("StartBroker", "1", _listener_params, tc.overrides, {})
	tc.deny == found
}

# Where SSL is not allowed, that is what is said of it; where plaintext is, nothing.
test_listeners_with_other_protocols_allowed[protocol] if {
	some protocol, tc in {
		"SASL_SSL": {
			"listener": "SSL://:9093",
			"deny": {object.union(_speaks("SSL://:9093", "SSL"), {
				"message": "listener SSL://:9093 speaks SSL, not SASL_SSL",
				"fix": "map the listener's name to one of SASL_SSL in listener.security.protocol.map",
			})},
		},
		"PLAINTEXT": {"listener": "PLAINTEXT://:9092", "deny": set()},
	}
	params := {"KFK-BRK-005": {"allowedProtocols": [protocol]}}
	found := family.deny with input as _broker("StartBroker", "1", params, {"listeners": tc.listener}, {})
	tc.deny == found
}

test_listeners_of_all_brokers[note] if {
	some note, tc in {
		"nothing set": {"overrides": {}, "deny": set()},
		"set without a map": {"overrides": {"listeners": "SASL_SSL://:9094"}, "deny": set()},
		"set without certificates": {
			"overrides": {"listeners": "SSL://:9094"},
			"deny": {_takes_anyone("SSL://:9094", "ssl.client.auth", "none")},
		},
		"plaintext": {
			"overrides": {"listeners": "PLAINTEXT://:9092"},
			"deny": {_speaks("PLAINTEXT://:9092", "PLAINTEXT")},
		},
	}
	found := family.deny with input as _broker("AlterBroker", "", _listener_params, tc.overrides, {})
	tc.deny == found
}
