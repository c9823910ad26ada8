package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_three := {
	"authorizer.class.name": "p.A",
	"create.topic.policy.class.name": "p.C",
	"alter.config.policy.class.name": "p.D",
}

_not_together(name, message) := {
	"rule": "KFK-BRK-014",
	"severity": "critical",
	"message": message,
	"fix": sprintf("set %s to %s, or take all of the plugin's classes out", [name, _three[name]]),
	"path": ["configs", name],
	"patch": _patched(name, _three[name]),
}

test_plugin_classes[note] if {
	some note, tc in {
		"all": {"configs": _three, "deny": set()},
		"all, with blanks": {"configs": object.union(_three, {"authorizer.class.name": " p.A "}), "deny": set()},
		"none": {"configs": {"authorizer.class.name": "a.B", "create.topic.policy.class.name": "a.C"}, "deny": set()},
		"another authorizer": {
			"configs": object.union(_three, {"authorizer.class.name": "a.B"}),
			"deny": {_not_together("authorizer.class.name", concat("", [
				"authorizer.class.name is a.B beside p.D and p.C: Kafka takes one class, ",
				"and those of Warden's plugin decide together",
			]))},
		},
		"the authorizer alone": {
			"configs": {"authorizer.class.name": "p.A"},
			"deny": {_not_together(name, sprintf(
				"%s is not set beside p.A: the classes of Warden's plugin decide together",
				[name],
			)) |
				some name in ["create.topic.policy.class.name", "alter.config.policy.class.name"]
			},
		},
		"not on a controller": {
			"configs": {"authorizer.class.name": "p.A", "process.roles": "broker"},
			"deny": set(),
		},
	}
	configs := object.union({"process.roles": "broker,controller"}, tc.configs)
	found := family.deny with input as _file("StartBroker", "KFK-BRK-014", {"classes": _three}, configs)
	tc.deny == found
}
