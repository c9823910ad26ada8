package kafka.rules.clients_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules.clients as family

_params := {
	"keys": ["acks", "heartbeat.interval.ms", "session.timeout.ms"],
	"bounds": {"heartbeat.interval.ms": {"min": 500}, "session.timeout.ms": {"min": 6000, "max": 60000}},
}

# An entity's own values, and what is in force with those of its user beneath.
_dynamic_input(entity, own, beneath) := {
	"operation": "AlterClientConfigs",
	"params": {"KFK-CLI-006": _params},
	"entity": entity,
	"requested": {"configs": {key: sprintf("%v", [value]) | some key, value in own}, "values": own_values},
	"effective": {"configs": {}, "values": object.union(beneath, own_values)},
} if {
	own_values := {key: value | some key, value in own; value != "soon"}
}

_dynamic(key, message, fix) := {
	"rule": "KFK-CLI-006",
	"severity": "high",
	"message": message,
	"fix": fix,
	"path": ["ops", key],
	"patch": [],
}

_discarded(heartbeat, session) := _dynamic(
	"heartbeat.interval.ms",
	concat(" ", [
		sprintf("heartbeat.interval.ms=%d is not below session.timeout.ms=%d", [heartbeat, session]),
		"once the user's and the client's configs are laid over each other: clients discard both",
	]),
	"set heartbeat.interval.ms well below session.timeout.ms, a third of it or less",
)

_unread(key, whom) := _dynamic(
	key,
	sprintf("%s takes no effect: no client reads what is set for the default %s", [key, whom]),
	"name the user, and the client-id if any",
)

test_dynamic[note] if {
	some note, tc in {
		"nothing": {"entity": _alice, "own": {}, "beneath": {}, "deny": set()},
		"in range": {
			"entity": _alice,
			"own": {"acks": "-1", "session.timeout.ms": 6000, "heartbeat.interval.ms": 500},
			"beneath": {},
			"deny": set(),
		},
		"a key that is not to be set": {
			"entity": _alice,
			"own": {"linger.ms": 5},
			"beneath": {},
			"deny": {_dynamic(
				"linger.ms", "linger.ms is not to be set for clients",
				"remove linger.ms, or use acks, heartbeat.interval.ms, session.timeout.ms",
			)},
		},
		"one below": {
			"entity": _alice,
			"own": {"session.timeout.ms": 5999},
			"beneath": {},
			"deny": {_dynamic("session.timeout.ms", "session.timeout.ms=5999 is below the minimum of 6000", "use 6000")},
		},
		"stored, and read by nobody": {
			"entity": _alice,
			"own": {"session.timeout.ms": "soon", "acks": "2"},
			"beneath": {},
			"deny": {
				_dynamic(
					"session.timeout.ms",
					"Invalid value soon for configuration session.timeout.ms: Not a number of type INT",
					"set session.timeout.ms to a value that clients take, or remove it",
				),
				_dynamic(
					"acks",
					"Invalid value 2 for configuration acks: String must be one of: all, -1, 0, 1",
					"set acks to a value that clients take, or remove it",
				),
			},
		},
		"on the maximum": {"entity": _alice, "own": {"session.timeout.ms": 60000}, "beneath": {}, "deny": set()},
		"one above": {
			"entity": _alice,
			"own": {"session.timeout.ms": 60001},
			"beneath": {},
			"deny": {_dynamic("session.timeout.ms", "session.timeout.ms=60001 is above the maximum of 60000", "use 60000")},
		},
		"the client's session under the user's heartbeat": {
			"entity": _app,
			"own": {"session.timeout.ms": 9000},
			"beneath": {"heartbeat.interval.ms": 9000},
			"deny": {_discarded(9000, 9000)},
		},
		"just above it": {
			"entity": _app,
			"own": {"session.timeout.ms": 9001},
			"beneath": {"heartbeat.interval.ms": 9000},
			"deny": set(),
		},
		"a heartbeat above Kafka's own session": {
			"entity": _app,
			"own": {"heartbeat.interval.ms": 45000},
			"beneath": {},
			"deny": {_discarded(45000, 45000)},
		},
		"the default user": {
			"entity": {"user": null},
			"own": {"acks": "-1"},
			"beneath": {},
			"deny": {_unread("acks", "user")},
		},
		"what no client reads, it does not discard": {
			"entity": {"user": null},
			"own": {"heartbeat.interval.ms": 50000},
			"beneath": {},
			"deny": {_unread("heartbeat.interval.ms", "user")},
		},
		"the default client": {
			"entity": {"user": "alice", "clientId": null},
			"own": {"acks": "-1"},
			"beneath": {},
			"deny": {_unread("acks", "client-id")},
		},
	}
	deny := family.deny with input as _dynamic_input(tc.entity, tc.own, tc.beneath)
	tc.deny == deny
}

# What the clients of alice have of their own, under what alice is given.
_clients_of_alice := {"clientConfigs": {
	"alice": {
		"": {"session.timeout.ms": "7000"},
		"<default>": {"session.timeout.ms": "6000"},
		"app": {"session.timeout.ms": "8000", "acks": "all"},
		"slow": {"heartbeat.interval.ms": "50000"},
		"both": {"session.timeout.ms": "6000", "heartbeat.interval.ms": "6000"},
		"neither": {"acks": "1"},
		"unread": {"session.timeout.ms": "soon"},
		"numbers": {"session.timeout.ms": 8500},
	},
	"bob": {"app": {"session.timeout.ms": "6000"}},
}}

_discarded_of(client, heartbeat, session) := object.union(
	_dynamic(
		"heartbeat.interval.ms",
		concat(" ", [
			$"heartbeat.interval.ms={heartbeat} is not below session.timeout.ms={session}",
			$"once the configs of clientId {client} are laid over its user's: it discards both",
		]),
		concat(" ", [
			"set heartbeat.interval.ms well below session.timeout.ms,",
			$"a third of it or less, or alter clientId {client} first",
		]),
	),
	{"path": ["ops", "heartbeat.interval.ms", client]},
)

test_clients_of_a_user[note] if {
	some note, tc in {
		"the user's heartbeat over a client's session": {
			"own": {"heartbeat.interval.ms": 8000},
			"deny": {_discarded_of("app", 8000, 8000), _discarded_of("slow", 50000, 45000)},
		},
		"over those of two": {
			"own": {"heartbeat.interval.ms": 9000},
			"deny": {
				_discarded_of("app", 9000, 8000),
				_discarded_of("numbers", 9000, 8500),
				_discarded_of("slow", 50000, 45000),
			},
		},
		"the user's session under a client's heartbeat": {
			"own": {"session.timeout.ms": 50000},
			"deny": {_discarded_of("slow", 50000, 50000)},
		},
		"just above it": {"own": {"session.timeout.ms": 50001}, "deny": set()},
	}
	document := object.union(_dynamic_input(_alice, tc.own, {}), {"clusterState": _clients_of_alice})
	deny := family.deny with input as document
		with input.params["KFK-CLI-006"].bounds as {}
	tc.deny == deny
}

# An audit is about one entity, and each client has its own.
test_clients_of_a_user_elsewhere[note] if {
	some note, over in {
		"audited": {"operation": "AuditClientConfigs"},
		"of a client": {"entity": _app},
		"of the default client": {"entity": {"user": "alice", "clientId": null}},
		"of another user": {"entity": {"user": "carol"}},
	}
	document := object.union_n([
		object.remove(_dynamic_input(_alice, {"heartbeat.interval.ms": 9000}, {}), object.keys(over)),
		over,
		{"clusterState": _clients_of_alice},
	])
	deny := family.deny with input as document
	{violation.path | some violation in deny; count(violation.path) > 2} == set()
}

_change_of_alice(own, op) := violations if {
	over := {"KFK-CLI-006": {"mode": "deny", "params": object.union(_params, {"bounds": {}})}}
	document := {
		"operation": "AlterClientConfigs",
		"cluster": "c",
		"now": fixtures.now,
		"principal": {"type": "User", "name": "admin"},
		"request": {"entity": _alice, "ops": [op]},
		"clusterState": {
			"acls": {"User:admin": [{
				"resourceType": "CLUSTER",
				"resourceName": "kafka-cluster",
				"patternType": "LITERAL",
				"principal": "User:admin",
				"host": "*",
				"operation": "ALTER_CONFIGS",
				"permissionType": "ALLOW",
			}]},
			"clientConfigs": {"alice": {
				"": own,
				"app": {"session.timeout.ms": "8000"},
				"web": {"session.timeout.ms": "9000"},
			}},
		},
	}
	decision := fixtures.decide(document, {"rules": over})
	violations := {[found.path[2], found.cause] | some found in decision.violations; found.path[2]}
}

# What was wrong for a client before is found, and not caused by what leaves it as it was or makes it better.
test_clients_of_a_user_before[note] if {
	some note, tc in {
		"made wrong for one": {
			"own": {},
			"op": {"key": "heartbeat.interval.ms", "value": "8500"},
			"found": {["app", "caused"]},
		},
		"wrong before": {
			"own": {"heartbeat.interval.ms": "9500"},
			"op": {"key": "acks", "value": "all"},
			"found": {["app", "found"], ["web", "found"]},
		},
		"less wrong": {
			"own": {"heartbeat.interval.ms": "9500"},
			"op": {"key": "heartbeat.interval.ms", "value": "9200"},
			"found": {["app", "found"], ["web", "found"]},
		},
		"mended for one": {
			"own": {"heartbeat.interval.ms": "9500"},
			"op": {"key": "heartbeat.interval.ms", "value": "8500"},
			"found": {["app", "found"]},
		},
		"more wrong": {
			"own": {"heartbeat.interval.ms": "9500"},
			"op": {"key": "heartbeat.interval.ms", "value": "9600"},
			"found": {["app", "caused"], ["web", "caused"]},
		},
		"wrong for another": {
			"own": {"heartbeat.interval.ms": "8500"},
			"op": {"key": "heartbeat.interval.ms", "value": "9000"},
			"found": {["app", "caused"], ["web", "caused"]},
		},
	}
	tc.found == _change_of_alice(tc.own, tc.op)
}
