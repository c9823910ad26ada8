package kafka.rules.brokers_test

import data.kafka.configs
import data.kafka.rules.brokers as family

# A broker with these overrides as rules see it, in a cluster where all brokers share `shared`.
_broker(operation, id, params, overrides, shared) := {
	"operation": operation,
	"cluster": "c",
	"broker": id,
	"params": params,
	"request": {"broker": id},
	"clusterState": {"brokers": {"": {"configs": shared}}},
	"current": {"configs": overrides},
	"requested": {"configs": overrides, "values": configs.values("broker", overrides)},
	"change": {"before": overrides, "after": overrides},
	"effective": {"values": configs.effective(
		"broker",
		{"clusterState": {"brokers": {"": {"configs": shared}}}},
		overrides,
	)},
}

_patched(name, value) := [{"op": "add", "path": concat("", ["/configs/", name]), "value": value}]

_auto_violation(message, patch) := {
	"rule": "KFK-BRK-001",
	"severity": "high",
	"message": message,
	"fix": "set auto.create.topics.enable to false",
	"path": ["configs", "auto.create.topics.enable"],
	"patch": patch,
}

_unset := "auto.create.topics.enable is true, which Kafka takes it to be where it is not set"

_set := "auto.create.topics.enable is true"

test_auto_create[note] if {
	some note, tc in {
		"off": {"operation": "StartBroker", "id": "1", "overrides": {"auto.create.topics.enable": "false"}, "deny": set()},
		"on": {
			"operation": "AuditBroker", "id": "1",
			"overrides": {"auto.create.topics.enable": " TRUE"},
			"deny": {_auto_violation(_set, [])},
		},
		"not set": {
			"operation": "StartBroker", "id": "1",
			"overrides": {},
			"deny": {_auto_violation(_unset, _patched("auto.create.topics.enable", "false"))},
		},
		"on in the file": {
			"operation": "StartBroker", "id": "1",
			"overrides": {"auto.create.topics.enable": "true"},
			"deny": {_auto_violation(_set, _patched("auto.create.topics.enable", "false"))},
		},
		"not set for all brokers, which says nothing": {"operation": "AlterBroker", "id": "", "overrides": {}, "deny": set()},
		"on for all brokers": {
			"operation": "AlterBroker", "id": "",
			"overrides": {"auto.create.topics.enable": "true"},
			"deny": {_auto_violation(_set, [])},
		},
	}
	found := family.deny with input as _broker(tc.operation, tc.id, {"KFK-BRK-001": {}}, tc.overrides, {})
	tc.deny == found
}

test_no_rule_without_its_parameters if {
	document := _broker("AuditBroker", "1", {}, {"allow.everyone.if.no.acl.found": "true"}, {})
	found := family.deny with input as document
	found == set()
}
