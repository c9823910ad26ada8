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
