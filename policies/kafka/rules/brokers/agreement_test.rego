package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_agreement(operation, id, overrides, brokers) := {
	"operation": operation,
	"broker": id,
	"params": {"KFK-BRK-008": {"keys": ["num.partitions", "create.topic.policy.class.name", "x.vendor"]}},
	"clusterState": {"brokers": {other: {"configs": theirs} | some other, theirs in brokers}},
	"requested": {"configs": overrides},
}

_differs(name, actual, others) := {
	"rule": "KFK-BRK-008",
	"severity": "high",
	"message": sprintf("%s is %s on this broker, but %s", [name, actual, others]),
	"fix": sprintf("give %s the same value on every broker", [name]),
	"path": ["configs", name],
	"patch": [],
}

test_agreement[note] if {
	some note, tc in {
		"alone": {"overrides": {"num.partitions": "2"}, "brokers": {}, "deny": set()},
		"as it was itself": {"overrides": {"num.partitions": "2"}, "brokers": {"1": {"num.partitions": "1"}}, "deny": set()},
		"the same": {
			"overrides": {"num.partitions": "2"},
			"brokers": {"2": {"num.partitions": "2"}, "3": {"num.partitions": " 02"}},
			"deny": set(),
		},
		"another": {
			"overrides": {"num.partitions": "2"},
			"brokers": {"2": {"num.partitions": "3"}, "3": {"num.partitions": "2"}},
			"deny": {_differs("num.partitions", "2", "3 on broker 2")},
		},
		"two others": {
			"overrides": {"num.partitions": "2"},
			"brokers": {"2": {"num.partitions": "3"}, "3": {"num.partitions": "4"}},
			"deny": {_differs("num.partitions", "2", "3 on broker 2, 4 on broker 3")},
		},
		"set here only, to what it is anyway": {
			"overrides": {"num.partitions": "1"},
			"brokers": {"2": {"node.id": "2"}},
			"deny": set(),
		},
		"set here only": {
			"overrides": {"num.partitions": "2"},
			"brokers": {"2": {"node.id": "2"}},
			"deny": {_differs("num.partitions", "2", "1 on broker 2")},
		},
		"set for all brokers but this one": {
			"overrides": {"num.partitions": "2"},
			"brokers": {"": {"num.partitions": "3"}, "2": {"node.id": "2"}},
			"deny": {_differs("num.partitions", "2", "3 on broker 2")},
		},
		"set for all brokers": {
			"overrides": {},
			"brokers": {"": {"num.partitions": "3"}, "2": {"node.id": "2"}},
			"deny": set(),
		},
		"a broker that could not be read": {"overrides": {"num.partitions": "2"}, "brokers": {"2": {}}, "deny": set()},
		"without a default": {
			"overrides": {"create.topic.policy.class.name": "A"},
			"brokers": {"2": {"node.id": "2"}},
			"deny": {_differs("create.topic.policy.class.name", "\"A\"", "null on broker 2")},
		},
		"missing here": {
			"overrides": {},
			"brokers": {"2": {"create.topic.policy.class.name": "A"}},
			"deny": {_differs("create.topic.policy.class.name", "null", "\"A\" on broker 2")},
		},
		"a key that no catalogue has": {
			"overrides": {"x.vendor": "a"},
			"brokers": {"2": {"x.vendor": "b"}},
			"deny": {_differs("x.vendor", "\"a\"", "\"b\" on broker 2")},
		},
		"two keys": {
			"overrides": {"x.vendor": "a"},
			"brokers": {"2": {"x.vendor": "b", "num.partitions": "2"}},
			"deny": {
				_differs("x.vendor", "\"a\"", "\"b\" on broker 2"),
				_differs("num.partitions", "1", "2 on broker 2"),
			},
		},
	}
	found := family.deny with input as _agreement("StartBroker", "1", tc.overrides, tc.brokers)
	tc.deny == found
}

# Of a list that topics inherit order means nothing, of another one it does.
test_agreement_of_lists[note] if {
	some note, tc in {
		"in another order": {"text": "delete,compact", "name": "log.cleanup.policy", "deny": set()},
		"with a member fewer": {
			"text": "compact", "name": "log.cleanup.policy",
			"deny": {_differs("log.cleanup.policy", `["compact","delete"]`, `["compact"] on broker 2`)},
		},
		"that no topic inherits, in another order": {
			"text": "delete,compact", "name": "metric.reporters",
			"deny": {_differs("metric.reporters", `["compact","delete"]`, `["delete","compact"] on broker 2`)},
		},
	}
	document := object.union(
		_agreement("StartBroker", "1", {tc.name: "compact,delete"}, {"2": {tc.name: tc.text}}),
		{"params": {"KFK-BRK-008": {"keys": [tc.name]}}},
	)
	found := family.deny with input as document
	tc.deny == found
}

test_agreement_of_all_brokers if {
	found := family.deny with input as _agreement(
		"AlterBroker",
		"",
		{"num.partitions": "2"},
		{"2": {"num.partitions": "3"}},
	)
	found == set()
}
