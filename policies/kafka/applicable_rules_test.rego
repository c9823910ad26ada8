package kafka_test

import data.kafka

_rules := {
	"KFK-A": {"operations": ["AuditBroker", "CreateTopic"], "file": "kafka/rules/clients/a.rego"},
	"KFK-B": {"operations": ["AuditBroker"], "file": "kafka/rules/brokers/b.rego"},
	"KFK-C": {"operations": ["AuditTopic"], "file": "kafka/rules/naming/c.rego"},
	"KFK-D": {"operations": ["AuditTopic", "CreateTopic"], "file": "kafka/rules/governance/owner.rego"},
	"KFK-RET-1": {"operations": ["AlterTopic", "AuditTopic"], "file": "kafka/rules/retention/r.rego"},
	"KFK-CHG-1": {"operations": ["AlterTopic"], "file": "kafka/rules/changes/c.rego", "inherited": true},
	"KFK-CHG-2": {"operations": ["AlterTopic"], "file": "kafka/rules/changes/d.rego"},
	"KFK-LST-1": {"operations": ["AlterTopic", "AuditTopic"], "file": "kafka/rules/lists/l.rego"},
}

_compiled := {
	"base": {
		"params": {},
		"modes": {
			"KFK-A": {"mode": "deny"},
			"KFK-B": {"mode": "dryrun"},
			"KFK-C": {"mode": "disabled"},
			"KFK-D": {"mode": "deny"},
			"KFK-RET-1": {"mode": "deny"},
			"KFK-CHG-1": {"mode": "warn"},
			"KFK-CHG-2": {"mode": "warn"},
			"KFK-LST-1": {"mode": "deny"},
		},
	},
	"enforcementPoints": {"scan": {"params": {}, "modes": {"KFK-A": {"mode": "disabled"}}}},
	"clusters": [],
	"waivers": {},
}

# What topics inherit, and the creation of topics that brokers make, the rules about topics tell.
_everywhere := {
	"AlterTopic": {"KFK-CHG-1", "KFK-CHG-2", "KFK-LST-1", "KFK-RET-1"},
	"AlterBroker": {"KFK-CHG-1", "KFK-D", "KFK-RET-1"},
	"StartBroker": {"KFK-CHG-1", "KFK-D", "KFK-RET-1"},
	"AlterConfig": {"KFK-D"},
	"AuditTopicConfigs": {"KFK-LST-1", "KFK-RET-1"},
}

test_applicable_rules[note] if {
	some note, tc in {
		"everywhere": {
			"input": {"cluster": "a"},
			"applicable": object.union(_everywhere, {
				"CreateTopic": {"KFK-A", "KFK-D"},
				"AuditBroker": {"KFK-A", "KFK-B"},
				"AuditTopic": {"KFK-D", "KFK-LST-1", "KFK-RET-1"},
				"AuditTopicLabels": {"KFK-D"},
			}),
		},
		"at an enforcement point": {
			"input": {"cluster": "a", "enforcementPoint": "scan"},
			"applicable": object.union(_everywhere, {
				"CreateTopic": {"KFK-D"},
				"AuditBroker": {"KFK-B"},
				"AuditTopic": {"KFK-D", "KFK-LST-1", "KFK-RET-1"},
				"AuditTopicLabels": {"KFK-D"},
			}),
		},
		"without labels": {
			"input": {"cluster": "a", "enforcementPoint": "scan", "labels": false},
			"applicable": object.union(_everywhere, {
				"CreateTopic": {"KFK-D"},
				"AuditBroker": {"KFK-B"},
				"AuditTopic": {"KFK-LST-1", "KFK-RET-1"},
			}),
		},
		"nowhere": {"input": {}, "applicable": {}},
	}
	applicable := kafka.applicable_rules with input as tc.input
		with data.catalog.rules as _rules
		with data.settings.compiled as _compiled
	tc.applicable == applicable
}

test_rules_of_a_site if {
	metadata := {
		"ACME-1": {"operations": ["AuditTopic"]},
		"ACME-2": {"title": "Of operations that nobody names"},
		"KFK-C": {"operations": ["AuditTopic"]},
	}
	applicable := kafka.applicable_rules with input as {"cluster": "a"}
		with data.catalog.rules as {}
		with data.site.metadata as metadata
		with data.settings.compiled as _compiled
	applicable == {"AuditTopic": {"ACME-1"}}
}
