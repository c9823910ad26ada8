package kafka.rules.clients_test

import data.kafka.rules.clients as family

_alice := {"user": "alice"}

_app := {"user": "alice", "clientId": "app"}

_acks_input(operation, entity, in_force) := {
	"operation": operation,
	"params": {"KFK-CLI-001": {"exemptUsers": ["metrics-*"]}},
	"entity": entity,
	"requested": {"configs": in_force, "values": {}},
	"effective": {"configs": in_force, "values": {}},
}

_less(acks, entity) := {
	"rule": "KFK-CLI-001",
	"severity": "high",
	"message": sprintf("acks=%s, in force for %s, is less than all", [acks, entity]),
	"fix": "set acks to all, or remove it",
	"path": ["ops", "acks"],
	"patch": [],
}

test_acks[note] if {
	some note, tc in {
		"all": {"entity": _alice, "in_force": {"acks": "-1"}, "deny": set()},
		"not said": {"entity": _alice, "in_force": {}, "deny": set()},
		"one": {"entity": _alice, "in_force": {"acks": "1"}, "deny": {_less("1", "user alice")}},
		"none": {"entity": _app, "in_force": {"acks": "0"}, "deny": {_less("0", "user alice, clientId app")}},
		"those of the user": {
			"entity": _app, "in_force": {"acks": "0"}, "own": {},
			"deny": {object.union(
				_less("0", "user alice, clientId app"),
				{"fix": "set acks to all for the client, or for its user, who has 0"},
			)},
		},
		"what no client reads": {"entity": {"user": null}, "in_force": {"acks": "0"}, "deny": set()},
		"what no client of a user reads": {
			"entity": {"user": "alice", "clientId": null}, "in_force": {"acks": "0"}, "deny": set(),
		},
		"a client of any user": {
			"entity": {"clientId": "app"}, "in_force": {"acks": "1"},
			"deny": {_less("1", "clientId app")},
		},
		"an exempt user": {"entity": {"user": "metrics-1", "clientId": "a"}, "in_force": {"acks": "0"}, "deny": set()},
		"nearly exempt": {
			"entity": {"user": "my-metrics-1"},
			"in_force": {"acks": "0"},
			"deny": {_less("0", "user my-metrics-1")},
		},
	}
	document := _acks_input("AlterClientConfigs", tc.entity, tc.in_force)
	own := {"requested": {"configs": object.get(tc, "own", tc.in_force)}}
	deny := family.deny with input as object.union(object.remove(document, ["requested"]), own)
	tc.deny == deny
}
