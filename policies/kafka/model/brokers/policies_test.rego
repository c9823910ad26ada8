package kafka.model.brokers_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.brokers

# The whole decision: a broker does not start so, whatever else may be said of its file.
test_two_policies_deny_a_start if {
	names := ["topic.management.policy.class.name", "alter.config.policy.class.name"]
	document := {
		"operation": "StartBroker",
		"cluster": "c",
		"clusterState": {},
		"request": {"broker": "1", "configs": object.union(_node, {name: "a.B" | some name in names})},
	}
	decision := fixtures.decide(document, {})
	[decision.allowed, decision.error.name] == [false, "INVALID_CONFIG"]
	decision.errors == [concat("", [
		"topic.management.policy.class.name and alter.config.policy.class.name exclude each other: ",
		"set one of them",
	])]
}

test_two_policies[note] if {
	excluded := "topic.management.policy.class.name and %s exclude each other: set one of them"
	some note, tc in {
		"the one": {"names": ["topic.management.policy.class.name"], "older": []},
		"the older two": {"names": ["create.topic.policy.class.name", "alter.config.policy.class.name"], "older": []},
		"the one and an older": {
			"names": ["topic.management.policy.class.name", "create.topic.policy.class.name"],
			"older": ["create.topic.policy.class.name"],
		},
		"an older, and the one that names none": {
			"names": ["create.topic.policy.class.name"],
			"empty": {"topic.management.policy.class.name": ""},
			"older": [],
		},
		"all": {
			"names": [
				"topic.management.policy.class.name", "create.topic.policy.class.name",
				"alter.config.policy.class.name",
			],
			"older": ["create.topic.policy.class.name", "alter.config.policy.class.name"],
		},
	}
	texts := object.union_n([_node, object.get(tc, "empty", {}), {name: "a.B" | some name in tc.names}])
	document := _document("StartBroker", {"broker": "1", "configs": texts})
	{refusal.message | some refusal in brokers.refusals(document)} == {sprintf(excluded, [older]) | some older in tc.older}
}
