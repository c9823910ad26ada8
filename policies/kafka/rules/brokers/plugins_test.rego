package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_plugin_params := {"KFK-BRK-009": {
	"classes": {
		"authorizer.class.name": "",
		"principal.builder.class": "",
		"create.topic.policy.class.name": "com.example.Policy",
	},
	"extends": {"Stricter": "A"},
}}

_plugins(operation, id, overrides, stored) := {
	"operation": operation,
	"broker": id,
	"request": {"broker": id},
	"params": _plugin_params,
	"clusterState": {"brokers": {"1": {"configs": stored}}},
	"requested": {"configs": overrides},
}

_exchanged(name, actual, expected) := {
	"rule": "KFK-BRK-009",
	"severity": "critical",
	"message": sprintf("%s is \"%s\", and must be \"%s\"", [name, actual, expected]),
	"fix": sprintf(
		"set %s to %s, or change the settings with whoever answers for the cluster's security",
		[name, expected],
	),
	"path": ["configs", name],
	"patch": _patched(name, expected),
}

_builder := "principal.builder.class"

_policy := {"create.topic.policy.class.name": "com.example.Policy"}

test_plugins[note] if {
	some note, tc in {
		"all there": {
			"overrides": object.union(_policy, {"authorizer.class.name": "A"}),
			"stored": {"authorizer.class.name": "A"},
			"deny": set(),
		},
		"with blanks": {
			"overrides": {"create.topic.policy.class.name": " com.example.Policy ", "authorizer.class.name": "A "},
			"stored": {"authorizer.class.name": " A"},
			"deny": set(),
		},
		"another than settings say": {
			"overrides": {"create.topic.policy.class.name": "com.example.Open"},
			"stored": {},
			"deny": {_exchanged("create.topic.policy.class.name", "com.example.Open", "com.example.Policy")},
		},
		"missing": {
			"overrides": {},
			"stored": {},
			"deny": {_exchanged("create.topic.policy.class.name", "", "com.example.Policy")},
		},
		"any class, exchanged": {
			"overrides": object.union(_policy, {"authorizer.class.name": "B"}),
			"stored": {"authorizer.class.name": "A"},
			"deny": {_exchanged("authorizer.class.name", "B", "A")},
		},
		"any class, exchanged for one that extends it": {
			"overrides": object.union(_policy, {"authorizer.class.name": "Stricter"}),
			"stored": {"authorizer.class.name": "A"},
			"deny": set(),
		},
		"one that extends another": {
			"overrides": object.union(_policy, {"authorizer.class.name": "Stricter"}),
			"stored": {"authorizer.class.name": "B"},
			"deny": {_exchanged("authorizer.class.name", "Stricter", "B")},
		},
		"any class, left out": {
			"overrides": _policy,
			"stored": {"authorizer.class.name": "A"},
			"deny": {_exchanged("authorizer.class.name", "", "A")},
		},
		"any class, new": {
			"overrides": object.union(_policy, {"authorizer.class.name": "B"}),
			"stored": {},
			"deny": set(),
		},
		"any class, new where it was blank": {
			"overrides": object.union(_policy, {"authorizer.class.name": "B"}),
			"stored": {"authorizer.class.name": " "},
			"deny": set(),
		},
		"Kafka's own, said": {
			"overrides": object.union(_policy, {_builder: data.catalog.broker.defaults.configs[_builder]}),
			"stored": {},
			"deny": set(),
		},
		"Kafka's own, exchanged": {
			"overrides": object.union(_policy, {_builder: "B"}),
			"stored": {},
			"deny": {_exchanged(_builder, "B", data.catalog.broker.defaults.configs[_builder])},
		},
		"none before and after": {"overrides": _policy, "stored": {}, "deny": set()},
	}
	found := family.deny with input as _plugins("StartBroker", "1", tc.overrides, tc.stored)
	tc.deny == found
}

# A broker that the cluster has never seen has nothing to exchange.
test_plugins_of_a_new_broker if {
	overrides := object.union(_policy, {"authorizer.class.name": "B"})
	found := family.deny with input as _plugins("StartBroker", "2", overrides, {"authorizer.class.name": "A"})
	found == set()
}

test_plugins_of_all_brokers if {
	found := family.deny with input as _plugins("AlterBroker", "", {}, {})
	found == set()
}
