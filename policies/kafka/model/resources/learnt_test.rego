package kafka.model.resources_test

import data.kafka.model.resources

_state_with_own_keys := {"catalog": {"beside": data.catalog.group.kafka, "configs": {
	"group": {"own.most": {"type": "int"}},
	"clientMetrics": {"own.flag": {"type": "boolean"}},
}}}

_setting(type, name, value) := object.union(
	_document(type, "x", [{"name": name, "op": "SET", "value": value}]),
	{"clusterState": _state_with_own_keys},
)

test_keys_that_the_cluster_describes[note] if {
	some note, tc in {
		"of its type": {"type": "group", "name": "own.most", "value": "5", "messages": set()},
		"of another type": {
			"type": "group", "name": "own.most", "value": "few",
			"messages": {"Invalid value few for configuration own.most: Not a number of type INT"},
		},
		"a subscription's": {
			"type": "client-metrics", "name": "own.flag", "value": "maybe",
			"messages": {"Invalid value maybe for configuration own.flag: Expected value to be either true or false"},
		},
		"another kind's": {
			"type": "client-metrics", "name": "own.most", "value": "5",
			"messages": {"Unknown client metrics configuration: own.most"},
		},
	}
	refusals := resources.refusals(_setting(tc.type, tc.name, tc.value))
	tc.messages == {refusal.message | some refusal in refusals}
}

test_values_of_such_keys if {
	prepared := resources.prepared(_setting("group", "own.most", "5"), {"now": 1, "params": {}})
	prepared.requested.values["own.most"] == 5
	prepared.effective.values["own.most"] == 5
}
