package kafka_test

import data.kafka

_rules := {
	"KFK-A": {"operations": ["CreateTopic", "AuditTopic"]},
	"KFK-B": {"operations": ["AuditTopic"]},
	"KFK-C": {"operations": ["AuditTopic"]},
	"KFK-D": {"operations": ["AuditAcl"], "file": "kafka/rules/governance/owner.rego"},
}

_compiled := {
	"base": {
		"params": {},
		"modes": {
			"KFK-A": {"mode": "deny"},
			"KFK-B": {"mode": "dryrun"},
			"KFK-C": {"mode": "disabled"},
			"KFK-D": {"mode": "deny"},
		},
	},
	"enforcementPoints": {"scan": {"params": {}, "modes": {"KFK-A": {"mode": "disabled"}}}},
	"clusters": [],
	"waivers": {},
}

test_applicable_rules[note] if {
	some note, tc in {
		"everywhere": {
			"input": {"cluster": "a"},
			"applicable": {"CreateTopic": {"KFK-A"}, "AuditTopic": {"KFK-A", "KFK-B"}, "AuditAcl": {"KFK-D"}},
		},
		"at an enforcement point": {
			"input": {"cluster": "a", "enforcementPoint": "scan"},
			"applicable": {"AuditTopic": {"KFK-B"}, "AuditAcl": {"KFK-D"}},
		},
		"without labels": {
			"input": {"cluster": "a", "enforcementPoint": "scan", "labels": false},
			"applicable": {"AuditTopic": {"KFK-B"}},
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
