package kafka.rules.lists_test

import data.kafka.rules.lists as family

_params := {
	"KFK-LST-001": {},
	"KFK-LST-002": {},
	"KFK-LST-003": {"newValues": "validate", "storedValues": "parse"},
	"KFK-LST-004": {},
}

_subjects := {
	"StartBroker": {"broker": "1"},
	"AlterBroker": {"broker": ""},
	"AuditBroker": {"broker": "1"},
}

_input(operation, configs, named) := object.union(object.get(_subjects, operation, {"topic": "a"}), {
	"operation": operation,
	"params": _params,
	"requested": {"configs": configs, "requestedConfigs": named},
})

_denial_triples(document) := {[violation.rule, violation.message, object.get(violation, "effect", "deny")] |
	denied := family.deny with input as document
	some violation in denied
}

_unknown := "Invalid value none for configuration cleanup.policy: String must be one of: compact, delete"

_dropped := concat("", [
	"Configuration key \"cleanup.policy\" contains duplicate values. Duplicates will be removed. ",
	"The original value is: [delete, delete], the updated value is: [delete]",
])

# Values of one topic key, as a new topic gets them.
test_new_values[note] if {
	some note, tc in {
		"one": {"value": "delete", "found": set()},
		"both": {"value": "compact , delete", "found": set()},
		"none at all means something": {"value": "", "found": set()},
		"unknown": {"value": "none", "found": {["KFK-LST-004", _unknown, "deny"]}},
		"in capitals": {"value": "DELETE", "found": {[
			"KFK-LST-004",
			"Invalid value DELETE for configuration cleanup.policy: String must be one of: compact, delete",
			"deny",
		]}},
		"an empty piece": {
			"value": "delete,",
			"found": {["KFK-LST-004", "Configuration 'cleanup.policy' values must not be empty.", "deny"]},
		},
		"twice": {
			"value": "delete,delete",
			"found": {["KFK-LST-003", "Configuration 'cleanup.policy' values must not be duplicated.", "deny"]},
		},
		"twice unknown": {
			"value": "none,none",
			"found": {
				["KFK-LST-003", "Configuration 'cleanup.policy' values must not be duplicated.", "deny"],
				["KFK-LST-004", _unknown, "deny"],
			},
		},
	}
	configs := {"cleanup.policy": tc.value, "retention.ms": ","}
	tc.found == _denial_triples(_input("CreateTopic", configs, configs))
}

# What was there before the request warns where a new value is denied.
test_who_set_it[note] if {
	some note, tc in {
		"created": {"operation": "CreateTopic", "named": {"cleanup.policy": "delete,delete"}, "modes": {"deny"}},
		"altered": {"operation": "AlterTopic", "named": {"cleanup.policy": "delete,delete"}, "modes": {"deny"}},
		"another altered": {"operation": "AlterTopic", "named": {"retention.ms": "1"}, "modes": {"warn"}},
		"audited": {"operation": "AuditTopic", "named": {}, "modes": {"warn"}},
		"deleted": {"operation": "DeleteTopic", "named": {}, "modes": set()},
	}
	found := _denial_triples(_input(tc.operation, {"cleanup.policy": "delete,delete"}, tc.named))
	tc.modes == {mode | some [_, _, mode] in found}
}

test_stored_values_by_setting if {
	strict := object.union(_params, {"KFK-LST-003": {"newValues": "parse", "storedValues": "validate"}})
	stored := object.union(_input("AuditTopic", {"cleanup.policy": "delete,delete"}, {}), {"params": strict})
	_denial_triples(stored) == {["KFK-LST-003", "Configuration 'cleanup.policy' values must not be duplicated.", "deny"]}
	named := object.union(
		_input("CreateTopic", {"cleanup.policy": "delete,delete"}, {"cleanup.policy": ""}),
		{"params": strict},
	)
	_denial_triples(named) == {["KFK-LST-003", _dropped, "warn"]}
}

test_brokers[note] if {
	some note, tc in {
		"a list that may be null": {"configs": {"log.dirs": null}, "rules": set()},
		"one that may not": {"configs": {"ssl.cipher.suites": null}, "rules": {"KFK-LST-001"}},
		"empty": {"configs": {"listeners": " "}, "rules": {"KFK-LST-002"}},
		"of one listener": {"configs": {"listener.name.a.ssl.cipher.suites": "x,x"}, "rules": {"KFK-LST-003"}},
		"unknown": {"configs": {"process.roles": "zookeeper"}, "rules": {"KFK-LST-004"}},
		"no list": {"configs": {"num.io.threads": ","}, "rules": set()},
		"a list with another validator": {"configs": {"controller.quorum.voters": ","}, "rules": set()},
	}
	every operation in _broker_operations {
		found := _denial_triples(_input(operation, tc.configs, tc.configs))
		tc.rules == {rule | some [rule, _, _] in found}
	}
}

# A starting broker's nulls are gone from the state that it asks for.
test_nulls_of_a_file if {
	document := _input("StartBroker", {}, {"ssl.cipher.suites": null})
	_denial_triples(document) == {["KFK-LST-001", "Configuration 'ssl.cipher.suites' values must not be null.", "deny"]}
}

test_violations[kind] if {
	some kind, tc in {
		"null": {
			"configs": {"listeners": null},
			"violation": {
				"rule": "KFK-LST-001",
				"severity": "high",
				"message": "Configuration 'listeners' values must not be null.",
				"fix": "leave listeners out to have its default, or set it",
				"path": ["configs", "listeners"],
				"patch": [{"op": "remove", "path": "/configs/listeners"}],
			},
		},
		"empty": {
			"configs": {"listeners": ""},
			"violation": {
				"rule": "KFK-LST-002",
				"severity": "high",
				"message": "Configuration 'listeners' must not be empty. Valid values include: any non-empty value",
				"fix": "leave listeners out to have its default, or set it to any non-empty value",
				"path": ["configs", "listeners"],
				"patch": [],
			},
		},
		"duplicate": {
			"configs": {"log.dirs": "/a,/b,/a"},
			"violation": {
				"rule": "KFK-LST-003",
				"severity": "medium",
				"message": concat("", [
					"Configuration key \"log.dirs\" contains duplicate values. Duplicates will be removed. ",
					"The original value is: [/a, /b, /a], the updated value is: [/a, /b]",
				]),
				"fix": "set log.dirs to /a,/b",
				"path": ["configs", "log.dirs"],
				"patch": [{"op": "add", "path": "/configs/log.dirs", "value": "/a,/b"}],
				"effect": "warn",
			},
		},
		"member": {
			"configs": {"process.roles": "broker,"},
			"violation": {
				"rule": "KFK-LST-004",
				"severity": "high",
				"message": "Configuration 'process.roles' values must not be empty.",
				"fix": "set process.roles to values that are valid: [broker, controller]",
				"path": ["configs", "process.roles"],
				"patch": [],
			},
		},
	}
	deny := family.deny with input as _input("StartBroker", tc.configs, tc.configs)
	deny == {tc.violation}
}

_stored(target, configs) := {
	"operation": "AuditBroker",
	"broker": "1",
	"params": {"KFK-LST-005": {"targetVersion": target}},
	"requested": {"configs": configs},
}

test_upgrade[note] if {
	some note, tc in {
		"refused": {
			"target": "4.2",
			"configs": {"listeners": "PLAINTEXT://:9092,"},
			"message": "listeners would be refused by Kafka 4.2: Configuration 'listeners' values must not be empty.",
		},
		"read otherwise": {
			"target": "4.3.1",
			"configs": {"log.dirs": "/a,/a"},
			"message": concat("", [
				"log.dirs would be reinterpreted by Kafka 4.3.1: Configuration key \"log.dirs\" contains duplicate values. ",
				"Duplicates will be removed. The original value is: [/a, /a], the updated value is: [/a]",
			]),
		},
	}
	deny := family.deny with input as _stored(tc.target, tc.configs)
	[tc.message] == [violation.message | some violation in deny]
}

test_upgrade_has_nothing_to_say[note] if {
	some note, tc in {
		"no difference": {"target": "4.2", "configs": {"listeners": "PLAINTEXT://:9092"}},
		"before the KIP": {"target": "4.1.9", "configs": {"listeners": ","}},
		"newer than the target": {"target": "4.2", "configs": {"cordoned.log.dirs": "a,,a"}},
		"another validator": {"target": "4.2", "configs": {"controller.quorum.voters": ",,"}},
	}
	deny := family.deny with input as _stored(tc.target, tc.configs)
	deny == set()
}

test_upgrade_is_evaluated_for_every_operation[operation] if {
	some operation, config in {
		"CreateTopic": {"cleanup.policy": "delete,,compact"},
		"AlterTopic": {"cleanup.policy": "delete,,compact"},
		"AuditTopic": {"cleanup.policy": "delete,,compact"},
		"AlterBroker": {"listeners": "PLAINTEXT://:9092,"},
		"StartBroker": {"listeners": "PLAINTEXT://:9092,"},
		"AuditBroker": {"listeners": "PLAINTEXT://:9092,"},
	}
	deny := family.deny with input as object.union(_stored("4.2", config), {"operation": operation})
	paths := {violation.path | some violation in deny; violation.rule == "KFK-LST-005"}
	paths == {["configs", name] | some name, _ in config}
}

# Kafka's only list of a topic that is validated may be empty; the next one need not be, as here.
_strict := {"cleanup.policy": {
	"kind": "in",
	"isEmptyAllowed": false,
	"isNullAllowed": false,
	"validStrings": ["compact"],
}}

_topic_operations := {"CreateTopic", "AlterTopic", "AuditTopic"}

_broker_operations := {"AlterBroker", "StartBroker", "AuditBroker"}

_faulty := {
	"KFK-LST-001": {"topic": {"cleanup.policy": null}, "broker": {"listeners": null}},
	"KFK-LST-002": {"topic": {"cleanup.policy": ""}, "broker": {"listeners": ""}},
	"KFK-LST-003": {"topic": {"cleanup.policy": "compact,compact"}, "broker": {"log.dirs": "/a,/a"}},
	"KFK-LST-004": {"topic": {"cleanup.policy": "none"}, "broker": {"process.roles": "none"}},
}

test_every_operation[note] if {
	some operation in (_topic_operations | _broker_operations)
	some rule, configs in _faulty
	note := concat(" of ", [rule, operation])
	some kind, operations in {"topic": _topic_operations, "broker": _broker_operations}
	operation in operations
	faulty := configs[kind]
	deny := family.deny with input as _input(operation, faulty, faulty)
		with data.catalog.lists.components.topic as _strict
	{rule} == {violation.rule | some violation in deny}
}

test_no_other_operation[note] if {
	some operation in {"DeleteTopic", "DeleteRecords", "AlterConfig"}
	some rule, configs in _faulty
	note := concat(" of ", [rule, operation])
	deny := family.deny with input as _input(operation, configs.topic, configs.topic)
		with data.catalog.lists.components.topic as _strict
	deny == set()
}

test_disabled[rule] if {
	some rule, configs in _faulty
	document := object.remove(_input("StartBroker", configs.broker, configs.broker), ["params"])
	deny := family.deny with input as object.union(document, {"params": object.remove(_params, [rule])})
	deny == set()
}

# A broker has keys that a topic has as well, and the other way round; each is read as what it is.
test_neither_is_taken_for_the_other if {
	configs := {"cleanup.policy": "none", "process.roles": "none"}
	of_a_topic := family.deny with input as _input("AuditTopic", configs, {})
	["cleanup.policy"] == [violation.path[1] | some violation in of_a_topic]
	of_a_broker := family.deny with input as _input("AuditBroker", configs, {})
	["process.roles"] == [violation.path[1] | some violation in of_a_broker]
}

# What a request sets is new to a broker too; what a file or the state holds was there before.
test_who_set_it_on_a_broker[operation] if {
	some operation, modes in {"AlterBroker": {"deny"}, "StartBroker": {"warn"}, "AuditBroker": {"warn"}}
	configs := {"log.dirs": "/a,/a"}
	modes == {mode | some [_, _, mode] in _denial_triples(_input(operation, configs, configs))}
}
