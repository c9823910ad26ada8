package kafka_test

import data.kafka

_reads := {"engine": ["topics"], "rules": {"A": ["totals"], "B": ["writes"], "C": ["users"], "D": ["quotas"]}}

test_state_that_is_read if {
	compiled := {
		"base": {"params": {"A": {}}},
		"clusters": [{"match": {"name": "c"}, "layer": {"params": {"B": {}}}}],
		"points": {"ci": {"params": {"C": {}}}},
	}
	answer := kafka.state with data.settings.compiled as compiled with data.catalog.state as _reads
	answer == {"parts": ["topics", "totals", "users", "writes"], "all": false}
}

test_state_that_rules_of_a_site_read if {
	answer := kafka.state with data.settings.compiled as {"base": {"params": {}}}
		with data.catalog.state as _reads
		with data.site as {"rules": {"a": {"deny": set()}}}
	answer == {"parts": ["topics"], "all": true}
}
