package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_file(operation, id, params, configs) := {
	"operation": operation,
	"broker": "1",
	"request": {"broker": "1"},
	"params": {id: params},
	"clusterState": {"brokers": {}},
	"requested": {"configs": configs},
	"effective": {"values": {"process.roles": split(object.get(configs, "process.roles", ""), ",")}},
}

_deprecated(name, class) := {
	"rule": "KFK-BRK-013",
	"severity": "low",
	"message": sprintf("%s is deprecated by KIP-201, and names %s", [name, class]),
	"fix": sprintf("decide at Warden's gateway or by its plugin, and leave %s to the plugin's class", [name]),
	"path": ["configs", name],
	"patch": [],
}

test_older_policies[note] if {
	some note, tc in {
		"both": {
			"configs": {"create.topic.policy.class.name": "a.B", "alter.config.policy.class.name": " a.C "},
			"deny": {
				_deprecated("create.topic.policy.class.name", "a.B"),
				_deprecated("alter.config.policy.class.name", "a.C"),
			},
		},
		"one, and one of the plugin": {
			"configs": {
				"create.topic.policy.class.name": "warden.broker.CreateTopicPolicy",
				"alter.config.policy.class.name": "a.C",
			},
			"deny": {_deprecated("alter.config.policy.class.name", "a.C")},
		},
		"blank": {"configs": {"create.topic.policy.class.name": " "}, "deny": set()},
		"none": {"configs": {"authorizer.class.name": "a.B"}, "deny": set()},
	}
	params := {"allow": ["warden.broker.CreateTopicPolicy"]}
	found := family.deny with input as _file("StartBroker", "KFK-BRK-013", params, tc.configs)
	tc.deny == found
}
