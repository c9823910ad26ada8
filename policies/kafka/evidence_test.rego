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
	"points": {"scan": {"params": {}, "modes": {"KFK-A": {"mode": "disabled"}}}},
	"clusters": [],
	"waivers": {},
}

test_evidence[note] if {
	some note, tc in {
		"everywhere": {
			"input": {"cluster": "a"},
			"evidence": {"CreateTopic": {"KFK-A"}, "AuditTopic": {"KFK-A", "KFK-B"}, "AuditAcl": {"KFK-D"}},
		},
		"at a point": {
			"input": {"cluster": "a", "point": "scan"},
			"evidence": {"AuditTopic": {"KFK-B"}, "AuditAcl": {"KFK-D"}},
		},
		"without labels": {
			"input": {"cluster": "a", "point": "scan", "labels": false},
			"evidence": {"AuditTopic": {"KFK-B"}},
		},
		"nowhere": {"input": {}, "evidence": {}},
	}
	evidence := kafka.evidence with input as tc.input
		with data.catalog.rules as _rules
		with data.settings.compiled as _compiled
	tc.evidence == evidence
}
