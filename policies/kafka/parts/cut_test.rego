package kafka.parts_test

import data.kafka.parts

_library := {
	"KFK-RET-001": {"operations": ["CreateTopic", "AuditTopic"]},
	"KFK-SIZ-009": {"operations": ["CreateTopic"]},
	"KFK-GOV-001": {"operations": ["AuditTopic"]},
	"KFK-GOV-003": {"operations": ["AuditTopic"], "named": "always"},
	"KFK-DUR-008": {"operations": ["AuditTopic"], "named": ["flush.ms", "flush.messages"]},
}

_compiled(over) := object.union({"base": {"params": {}}, "points": {}, "clusters": [], "waivers": {}}, over)

_cut(compiled) := cut if {
	cut := parts.cut with data.settings.compiled as _compiled(compiled) with data.catalog.rules as _library
}

_nothing := {
	"divisible": true,
	"labels": {"labels": [], "configs": []},
	"named": {"labels": false, "configs": [], "prefixes": []},
}

test_cut[note] if {
	some note, tc in {
		"nothing enabled": {"compiled": {}, "cut": {}},
		"labels of rules about configs": {
			"compiled": {"base": {"params": {"KFK-RET-001": {"justifyLabel": "why", "labelKey": "tier", "maxMs": 7}}}},
			"cut": {"labels": {"labels": [], "configs": ["tier", "why"]}},
		},
		"of another operation": {"compiled": {"base": {"params": {"KFK-SIZ-009": {"labelKey": "owner"}}}}, "cut": {}},
		"of rules about labels": {
			"compiled": {"base": {"params": {"KFK-GOV-001": {"labelKey": "owner"}}}},
			"cut": {"labels": {"labels": ["owner"], "configs": []}},
		},
		"for one cluster": {
			"compiled": {"clusters": [{"match": {"name": "c"}, "layer": {"params": {"KFK-RET-001": {"labelKey": "tier"}}}}]},
			"cut": {"labels": {"labels": [], "configs": ["tier"]}},
		},
		"at one point": {
			"compiled": {"points": {"scan": {"params": {"KFK-RET-001": {"labelKey": "tier"}}}}},
			"cut": {"labels": {"labels": [], "configs": ["tier"]}},
		},
		"names beside labels": {
			"compiled": {"base": {"params": {"KFK-GOV-003": {"labelKey": "domain"}}}},
			"cut": {
				"labels": {"labels": ["domain"], "configs": []},
				"named": {"labels": true, "configs": [], "prefixes": []},
			},
		},
		"names beside configs": {
			"compiled": {"base": {"params": {"KFK-DUR-008": {}}}},
			"cut": {"named": {"labels": false, "configs": ["flush.messages", "flush.ms"], "prefixes": []}},
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
			"cut": {"named": {"labels": false, "configs": [], "prefixes": ["a", "b", "c", "exact", "shop."]}},
		},
		"audits that may be of any age": {
			"compiled": {"base": {"params": {}, "freshness": {"operations": {
				"AuditTopic": {"then": "ignore"},
				"DeleteTopic": {"then": "deny"},
			}}}},
			"cut": {},
		},
		"audits that may not": {
			"compiled": {"base": {"params": {}, "freshness": {"operations": {"AuditTopic": {"then": "warn"}}}}},
			"cut": {"divisible": false},
		},
		"audits that may not, for one cluster": {
			"compiled": {"clusters": [{
				"match": {"name": "c"},
				"layer": {"freshness": {"operations": {"AuditTopic": {"then": "deny"}}}},
			}]},
			"cut": {"divisible": false},
		},
		"a waiver of any beginning": {
			"compiled": {"waivers": {"KFK-RET-001": [{"id": "w1", "topic": "*.dlq"}]}},
			"cut": {"named": {"labels": false, "configs": [], "prefixes": [""]}},
		},
	}
	_cut(tc.compiled) == object.union(_nothing, tc.cut)
}

test_cut_with_rules_of_a_site if {
	cut := parts.cut with data.settings.compiled as _compiled({}) with data.site as {"rules": {"a": {"deny": set()}}}
	cut == object.union(_nothing, {"divisible": false})
}
