package kafka.model.brokers_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.brokers

_own_keys_state := object.union(_state, {"catalog": {"beside": data.catalog.broker.kafka, "configs": {"broker": {
	"own.path": {"type": "string", "readOnly": true},
	"own.size": {"type": "long"},
	"own.names": {"type": "list"},
	"own.secret": {"type": "password", "sensitive": true},
}}}})

_alter_document(configs) := object.union(
	_document("AlterBroker", {"broker": "1", "configs": configs}),
	{"clusterState": _own_keys_state},
)

# What only the cluster describes is refused as Kafka refuses what it describes.
test_keys_that_the_cluster_describes[note] if {
	some note, tc in {
		"of its type": {"configs": _set("own.size", "5"), "messages": set()},
		"of another type": {
			"configs": _set("own.size", "many"),
			"messages": {"Invalid value many for configuration own.size: Not a number of type LONG"},
		},
		"read-only": {"configs": _set("own.path", "/a"), "messages": {"Cannot update these configs dynamically: [own.path]"}},
		"a list": {"configs": _append("own.names"), "messages": set()},
		"no list": {"configs": _append("own.size"), "messages": {"Unknown config name: own.size"}},
	}
	refusals := brokers.refusals(_alter_document(tc.configs))
	tc.messages == {refusal.message | some refusal in refusals}
}

_append(name) := {"mode": "incremental", "ops": [{"name": name, "op": "APPEND", "value": "a"}]}

test_values_of_such_keys if {
	prepared := brokers.prepared(_alter_document(_set("own.size", "5")), {"now": 1, "params": {}})
	prepared.requested.values["own.size"] == 5
	prepared.effective.values["own.size"] == 5
}

# A caller's own word of a secret is compared with nothing.
test_secrets_of_such_keys if {
	change := {
		"mode": "resolved",
		"before": {"own.secret": "a", "own.size": "1"},
		"after": {"own.secret": "b", "own.size": "2"},
	}
	stored := {"brokers": {"1": {"configs": {}, "dynamicConfigs": {"own.size": "1"}}}}
	document := object.union(_alter_document(change), {"clusterState": object.union(_own_keys_state, stored)})
	decision := fixtures.decide(document, {})
	[decision.errors, decision.warnings] == [[], []]
}
