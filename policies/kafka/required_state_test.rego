package kafka_test

import data.kafka
import data.kafka.operations

_reads := {"engine": ["topics"], "rules": {"A": ["totals"], "B": ["writes"], "C": ["users"], "D": ["quotas"]}}

_parts_by_operation(answer) := {operation: parts | some operation, parts in answer.operations; parts != []}

test_state_that_is_read if {
	compiled := {
		"base": {"params": {"A": {}}},
		"clusters": [{"match": {"name": "c"}, "layer": {"params": {"B": {}}}}],
		"enforcementPoints": {"ci": {"params": {"C": {}}}},
	}
	answer := kafka.required_state with data.settings.compiled as compiled with data.catalog.state as _reads
	object.filter(answer, ["parts", "all"]) == {"parts": ["topics", "totals", "users", "writes"], "all": false}
	object.keys(answer.operations) == object.keys(operations)
	_parts_by_operation(answer) == {
		"AlterBroker": ["topics", "totals"],
		"AlterConfig": ["topics", "totals"],
		"AlterScram": ["users"],
		"AlterTopic": ["topics", "totals"],
		"AuditAcl": ["topics", "users"],
		"AuditBroker": ["totals"],
		"AuditTopic": ["topics"],
		"CreateTopic": ["topics", "totals"],
		"DeleteRecords": ["topics"],
		"DeleteTopic": ["topics", "totals", "writes"],
		"StartBroker": ["topics", "totals"],
		"UnregisterBroker": ["totals"],
	}
}

test_state_that_rules_of_a_site_read if {
	answer := kafka.required_state with data.settings.compiled as {"base": {"params": {}}}
		with data.catalog.state as _reads
		with data.site as {"rules": {"a": {"deny": set()}}}
	object.filter(answer, ["parts", "all"]) == {"parts": ["topics"], "all": true}
}

# What is shared is read, and of an operation that a scan asks.
test_state_that_inputs_share if {
	shared := kafka.required_state.shared with data.settings.compiled as {"base": {"params": {}}}
		with data.catalog.state as _reads
	object.keys(shared) == {"AuditAcl", "AuditBroker", "AuditClientConfigs", "AuditTopic"}
	every operation, parts in shared { object.keys(parts) - operations[operation].reads == set() }
}

# What comes with one resource is read too, and of the same operations.
test_state_that_is_a_resources_own if {
	own := kafka.required_state.own with data.settings.compiled as {"base": {"params": {}}}
		with data.catalog.state as _reads
	object.keys(own) == {"AuditAcl", "AuditBroker", "AuditClientConfigs", "AuditTopic"}
	every operation, paths in own {
		every path in paths { path[0] in operations[operation].reads }
	}
	own.AuditTopic == []
	own.AuditAcl != []
}

test_states_of_other_clusters_that_are_read if {
	lookups := kafka.required_state.lookups with data.settings.compiled as {
		"base": {"params": {"A": {}}},
		"clusters": [{"match": {"name": "c"}, "layer": {"params": {"B": {}}}}],
	}
		with data.catalog.state as object.union(_reads, {"lookups": {
			"A": {"clusters": [], "topic": true},
			"B": {"clusters": ["totals"], "topic": false},
			"C": {"clusters": ["users"], "topic": false},
		}})
		with data.catalog.rules as {id: {"operations": ["AuditTopic", "CreateTopic"]} | some id in ["A", "B", "C"]}
	lookups == {
		"AuditAcl": {"clusters": [], "topic": false},
		"AuditBroker": {"clusters": [], "topic": false},
		"AuditClientConfigs": {"clusters": [], "topic": false},
		"AuditTopic": {"clusters": ["totals"], "topic": true},
	}
}

# The age of the state is part of what inputs share where it decides.
test_age_of_the_state if {
	limit := {"params": {}, "freshness": {"operations": {"AuditTopic": {"then": "warn"}, "DeleteTopic": {"then": "deny"}}}}
	base := {"params": {}, "freshness": {"operations": {"AuditTopic": {"then": "ignore"}, "AuditAcl": {"then": "deny"}}}}
	some layers in [{"clusters": [{"match": {"name": "c"}, "layer": limit}]}, {"enforcementPoints": {"scan": limit}}]
	answer := kafka.required_state with data.settings.compiled as object.union({"base": base}, layers)
		with data.catalog.state as _reads
	answer.aged == ["AuditAcl", "AuditTopic"]
	answer.shared.AuditTopic.meta == {"labels": true, "observedAt": true, "unknown": true}
	answer.shared.AuditAcl == {"meta": {"observedAt": true, "unknown": true}}
	answer.shared.AuditBroker.meta == {"unknown": true}
}
