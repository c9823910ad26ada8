package kafka.audit_parts_test

import data.kafka.audit_parts

_library := {
	"KFK-RET-001": {"file": "kafka/rules/retention/time.rego", "operations": ["CreateTopic", "AuditTopic"]},
	"KFK-SIZ-009": {"file": "kafka/rules/sizing/x.rego", "operations": ["CreateTopic"]},
	"KFK-GOV-001": {"file": "kafka/rules/governance/x.rego", "operations": ["AuditTopic"]},
	"KFK-GOV-003": {"file": "kafka/rules/governance/y.rego", "operations": ["AuditTopic"], "named": "always"},
	"KFK-GOV-005": {"file": "kafka/rules/governance/z.rego", "operations": ["AuditTopic"]},
	"KFK-GOV-009": {"file": "kafka/rules/governance/z.rego", "operations": ["CreateTopic"]},
	"KFK-DUR-008": {
		"file": "kafka/rules/durability/x.rego",
		"operations": ["AuditTopic"],
		"named": ["flush.ms", "flush.messages"],
	},
}

_compiled(over) := object.union({"base": {"params": {}}, "enforcementPoints": {}, "clusters": [], "waivers": {}}, over)

_plan(compiled) := plan if {
	plan := audit_parts.plan with data.settings.compiled as _compiled(compiled)
		with data.catalog.rules as _library
		with data.catalog.state.lookups as {"KFK-GOV-005": {"topic": true}, "KFK-GOV-009": {"topic": true}}
}

_nothing := {
	"divisible": true,
	"labels": {"labels": [], "configs": []},
	"named": {"labels": false, "configs": [], "prefixes": []},
	"replicationFactor": {"partition": "0", "without": "removing"},
}

test_plan[note] if {
	some note, tc in {
		"nothing enabled": {"compiled": {}, "plan": {}},
		"labels of rules about configs": {
			"compiled": {"base": {"params": {"KFK-RET-001": {"justifyLabel": "why", "labelKey": "tier", "maxMs": 7}}}},
			"plan": {"labels": {"labels": [], "configs": ["tier", "why"]}},
		},
		"where tools' own topics may break rules": {
			"compiled": {"ecosystem": {"connect": {}}},
			"plan": {"divisible": false},
		},
		"of another operation": {"compiled": {"base": {"params": {"KFK-SIZ-009": {"labelKey": "owner"}}}}, "plan": {}},
		"of rules about labels": {
			"compiled": {"base": {"params": {"KFK-GOV-001": {"labelKey": "owner"}}}},
			"plan": {"labels": {"labels": ["owner"], "configs": []}},
		},
		"for one cluster": {
			"compiled": {"clusters": [{"match": {"name": "c"}, "layer": {"params": {"KFK-RET-001": {"labelKey": "tier"}}}}]},
			"plan": {"labels": {"labels": [], "configs": ["tier"]}},
		},
		"at one enforcement point": {
			"compiled": {"enforcementPoints": {"scan": {"params": {"KFK-RET-001": {"labelKey": "tier"}}}}},
			"plan": {"labels": {"labels": [], "configs": ["tier"]}},
		},
		"of a rule that the base disables": {
			"compiled": {"base": {"params": {}, "disabledParams": {"KFK-RET-001": {"labelKey": "tier"}}}},
			"plan": {"labels": {"labels": [], "configs": ["tier"]}},
		},
		"names beside labels": {
			"compiled": {"base": {"params": {"KFK-GOV-003": {"labelKey": "domain"}}}},
			"plan": {
				"labels": {"labels": ["domain"], "configs": []},
				"named": {"labels": true, "configs": [], "prefixes": []},
			},
		},
		"names beside configs": {
			"compiled": {"base": {"params": {"KFK-DUR-008": {}}}},
			"plan": {"named": {"labels": false, "configs": ["flush.messages", "flush.ms"], "prefixes": []}},
		},
		"waivers": {
			"compiled": {"waivers": {"KFK-RET-001": [
				{"id": "w1", "topic": "shop.*"},
				{"id": "w2", "topic": "exact"},
				{"id": "w3", "topic": "a{b,c}"},
				{"id": "w4", "topic": "a?"},
				{"id": "w5", "topic": "b[cd]"},
				{"id": "w6", "topic": "c\\*d"},
				{"id": "w7", "topic": "*"},
				{"id": "w8"},
			]}},
			"plan": {"named": {"labels": false, "configs": [], "prefixes": ["a", "b", "c", "exact", "shop."]}},
		},
		"audits that may be of any age": {
			"compiled": {"base": {"params": {}, "freshness": {"operations": {
				"AuditTopic": {"then": "ignore"},
				"DeleteTopic": {"then": "deny"},
			}}}},
			"plan": {},
		},
		"a rule that looks at other clusters": {
			"compiled": {"base": {"params": {"KFK-GOV-005": {}}}},
			"plan": {"divisible": false},
		},
		"one about another operation": {"compiled": {"base": {"params": {"KFK-GOV-009": {}}}}, "plan": {}},
		"audits that may not": {
			"compiled": {"base": {"params": {}, "freshness": {"operations": {"AuditTopic": {"then": "warn"}}}}},
			"plan": {"divisible": false},
		},
		"audits that may not, for one cluster": {
			"compiled": {"clusters": [{
				"match": {"name": "c"},
				"layer": {"freshness": {"operations": {"AuditTopic": {"then": "deny"}}}},
			}]},
			"plan": {"divisible": false},
		},
		"a waiver of any beginning": {
			"compiled": {"waivers": {"KFK-RET-001": [{"id": "w1", "topic": "*.dlq"}]}},
			"plan": {"named": {"labels": false, "configs": [], "prefixes": [""]}},
		},
	}
	_plan(tc.compiled) == object.union(_nothing, tc.plan)
}

test_plan_with_rules_of_a_site if {
	plan := audit_parts.plan with data.settings.compiled as _compiled({})
		with data.site as {"rules": {"a": {"deny": set()}}}
	plan == object.union(_nothing, {"divisible": false})
}
