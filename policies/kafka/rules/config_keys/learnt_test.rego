package kafka.rules.config_keys_test

import data.kafka.rules.config_keys as family

_own_keys := {"catalog": {"beside": data.catalog.topic.kafka, "configs": {
	"topic": {
		"own.flag": {"type": "boolean", "documentation": "Whether."},
		"own.most": {"type": "int", "documentation": "How many."},
		"own.dark": {"type": "boolean"},
	},
	"broker": {
		"own.size": {"type": "long", "documentation": "How large."},
		"segment.ms": {"type": "long", "documentation": "As a topic has it."},
	},
	"group": {"own.size": {"type": "long"}},
}}}

_learnt_keys_input(operation, names) := {
	"operation": operation,
	"params": {"KFK-CFG-004": {}},
	"requested": {"configs": overrides},
	"change": {"before": {}, "after": overrides},
	"resource": {"type": "group", "name": "g"},
	"cluster": "c",
	"clusterState": _own_keys,
} if {
	overrides := {name: "1" | some name in names}
}

_key_violation(name, message) := {
	"rule": "KFK-CFG-004",
	"severity": "low",
	"message": message,
	"fix": $"look {name} up in the documentation of the cluster's brokers",
	"path": ["configs", name],
	"patch": [],
}

_no_bounds(name, type) := _key_violation(
	name,
	$"{name} is known from the cluster alone, as {type}: what bounds it, only its brokers know",
)

_not_said(name) := _key_violation(name, $"{name} is known from the cluster alone, which does not say what it does")

test_known_from_the_cluster[note] if {
	some note, tc in {
		"of the catalogue": {"operation": "CreateTopic", "names": ["retention.ms"], "deny": set()},
		"of nobody": {"operation": "CreateTopic", "names": ["x"], "deny": set()},
		"bounded and described": {"operation": "CreateTopic", "names": ["own.flag"], "deny": set()},
		"a number": {"operation": "AlterTopic", "names": ["own.most"], "deny": {_no_bounds("own.most", "int")}},
		"not described": {"operation": "CreateTopic", "names": ["own.dark"], "deny": {_not_said("own.dark")}},
		"a broker's": {"operation": "AlterBroker", "names": ["own.size"], "deny": {_no_bounds("own.size", "long")}},
		"a broker's, named as a topic's": {
			"operation": "AlterBroker",
			"names": ["segment.ms"],
			"deny": {_no_bounds("segment.ms", "long")},
		},
		"a group's": {"operation": "AlterConfig", "names": ["own.size"], "deny": {_not_said("own.size")}},
		"as it stands": {"operation": "AuditTopic", "names": ["own.most"], "deny": set()},
	}
	deny := family.deny with input as _learnt_keys_input(tc.operation, tc.names)
	tc.deny == deny
}

test_known_from_the_cluster_and_left_alone if {
	document := object.union(_learnt_keys_input("AlterTopic", ["own.most"]), {"change": {"before": {"own.most": "1"}}})
	deny := family.deny with input as document
	deny == set()
}

# What the cluster has is nobody's unknown setting.
test_own_keys_are_known[operation] if {
	some operation, names in {"CreateTopic": {["configs", "x"]}, "AlterTopic": {["configs", "x"]}}
	params := {"params": {"KFK-CFG-002": {"vendors": []}, "KFK-CFG-003": {}}}
	deny := family.deny with input as object.union(_learnt_keys_input(operation, ["own.flag", "own.most", "x"]), params)
	names == {violation.path | some violation in deny; violation.rule != "KFK-CFG-004"}
}

test_known_from_the_cluster_where_nobody_asks if {
	document := object.union(object.remove(_learnt_keys_input("AlterTopic", ["own.most"]), ["params"]), {"params": {}})
	deny := family.deny with input as document
	deny == set()
}
