package kafka.rules.quotas_test

import data.kafka.rules.quotas as family

_params := {
	"producer_byte_rate": {"min": 10, "max": 20, "required": true},
	"consumer_byte_rate": {"max": 20, "required": false},
	"request_percentage": {"min": 1.5},
	"controller_mutation_rate": {},
	"exempt": ["system-*"],
}

_altered(entity, quotas) := {
	"operation": "AlterQuota",
	"cluster": "c",
	"params": {"KFK-QTA-001": _params},
	"entity": entity,
	"requested": {"quotas": quotas},
	"clusterState": {"quotas": {}},
}

_violation(problem, key, range) := {
	"rule": "KFK-QTA-001",
	"severity": "medium",
	"message": problem,
	"fix": sprintf("set %s%s", [key, range]),
	"path": ["ops", key],
	"patch": [],
}

_produce(problem) := _violation(problem, "producer_byte_rate", " at least 10 and at most 20")

_none := _produce(concat(" ", [
	"neither the user nor the default user has a producer_byte_rate,",
	"and those of client ids do not bound a user, which chooses its ids",
]))

test_ranges[note] if {
	some note, tc in {
		"on the minimum": {"quotas": {"producer_byte_rate": 10}, "deny": set()},
		"on the maximum": {"quotas": {"producer_byte_rate": 20}, "deny": set()},
		"below the minimum": {
			"quotas": {"producer_byte_rate": 9.5},
			"deny": {_produce("producer_byte_rate 9.5 is below the minimum of 10")},
		},
		"above the maximum": {
			"quotas": {"producer_byte_rate": 21},
			"deny": {_produce("producer_byte_rate 21 is above the maximum of 20")},
		},
		"nothing at all": {
			"quotas": {"producer_byte_rate": 0},
			"deny": {_produce("producer_byte_rate 0 is below the minimum of 10")},
		},
		"a key with a maximum only": {
			"quotas": {"producer_byte_rate": 10, "consumer_byte_rate": 21},
			"deny": {_violation("consumer_byte_rate 21 is above the maximum of 20", "consumer_byte_rate", " at most 20")},
		},
		"a key with a minimum only": {
			"quotas": {"producer_byte_rate": 10, "request_percentage": 1},
			"deny": {_violation("request_percentage 1 is below the minimum of 1.5", "request_percentage", " at least 1.5")},
		},
		"a key without bounds": {"quotas": {"producer_byte_rate": 10, "controller_mutation_rate": 1000}, "deny": set()},
		"two keys": {
			"quotas": {"producer_byte_rate": 21, "consumer_byte_rate": 21},
			"deny": {
				_produce("producer_byte_rate 21 is above the maximum of 20"),
				_violation("consumer_byte_rate 21 is above the maximum of 20", "consumer_byte_rate", " at most 20"),
			},
		},
		"what must be there is not": {"quotas": {"consumer_byte_rate": 10}, "deny": {_none}},
		"none is left": {"quotas": {}, "deny": {_none}},
	}
	deny := family.deny with input as _altered({"user": "alice"}, tc.quotas)
	tc.deny == deny
}

test_who_must_have_quotas[note] if {
	some note, tc in {
		"a user": {"entity": {"user": "alice"}, "deny": {_none}},
		"the default user": {"entity": {"user": null}, "deny": {_none}},
		"a client of a user": {"entity": {"user": "alice", "clientId": "app"}, "deny": set()},
		"a client": {"entity": {"clientId": "app"}, "deny": set()},
		"an address": {"entity": {"ip": "10.0.0.1"}, "deny": set()},
		"the system": {"entity": {"user": "system-replicator"}, "deny": set()},
		"almost the system": {"entity": {"user": "my-system-replicator"}, "deny": {_none}},
	}
	deny := family.deny with input as _altered(tc.entity, {})
	tc.deny == deny
}

# Ranges hold for whomever they are set, the system apart.
test_whose_quotas_are_in_range[note] if {
	some note, tc in {
		"a client of a user": {"entity": {"user": "alice", "clientId": "app"}, "n": 1},
		"a client": {"entity": {"clientId": null}, "n": 1},
		"the system": {"entity": {"user": "system-replicator"}, "n": 0},
	}
	deny := family.deny with input as _altered(tc.entity, {"producer_byte_rate": 21})
	paths := {0: [], 1: [["ops", "producer_byte_rate"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}

test_the_default_user_answers_for_others[note] if {
	some note, tc in {
		"a user": {"entity": {"user": "alice"}, "default": {"producer_byte_rate": 15}, "deny": set()},
		"of another key": {"entity": {"user": "alice"}, "default": {"consumer_byte_rate": 15}, "deny": {_none}},
		"quotas of client ids": {
			"entity": {"user": "alice"},
			"default": {},
			"of_ids": {
				"user=alice,client-id=<default>": {"producer_byte_rate": 15},
				"user=<default>,client-id=<default>": {"producer_byte_rate": 15},
				"client-id=<default>": {"producer_byte_rate": 15},
			},
			"deny": {_none},
		},
		"not for itself": {"entity": {"user": null}, "default": {"producer_byte_rate": 15}, "deny": {_none}},
	}
	stored := object.union(object.get(tc, "of_ids", {}), {"user=<default>": tc.default})
	state := {"clusterState": {"quotas": stored}}
	deny := family.deny with input as object.union(_altered(tc.entity, {}), state)
	tc.deny == deny
}
