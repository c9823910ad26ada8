package kafka_test

import data.kafka
import data.kafka.operations

_reads := {"engine": ["topics"], "rules": {"A": ["totals"], "B": ["writes"], "C": ["users"], "D": ["quotas"]}}

_by_operation(answer) := {operation: parts | some operation, parts in answer.operations; parts != []}

test_state_that_is_read if {
	compiled := {
		"base": {"params": {"A": {}}},
		"clusters": [{"match": {"name": "c"}, "layer": {"params": {"B": {}}}}],
		"enforcementPoints": {"ci": {"params": {"C": {}}}},
	}
	answer := kafka.required_state with data.settings.compiled as compiled with data.catalog.state as _reads
	object.remove(answer, ["operations", "shared"]) == {"parts": ["topics", "totals", "users", "writes"], "all": false}
	object.keys(answer.operations) == object.keys(operations)
	_by_operation(answer) == {
		"AlterScram": ["users"],
		"AlterTopic": ["topics", "totals"],
		"AuditAcl": ["topics", "users"],
		"AuditBroker": ["totals"],
		"AuditTopic": ["topics"],
		"CreateTopic": ["topics", "totals"],
		"DeleteRecords": ["topics"],
		"DeleteTopic": ["topics", "totals", "writes"],
	}
}

test_state_that_rules_of_a_site_read if {
	answer := kafka.required_state with data.settings.compiled as {"base": {"params": {}}}
		with data.catalog.state as _reads
		with data.site as {"rules": {"a": {"deny": set()}}}
	object.remove(answer, ["operations", "shared"]) == {"parts": ["topics"], "all": true}
}

# What is shared is read, and of an operation that a scan asks.
test_state_that_inputs_share if {
	shared := kafka.required_state.shared with data.settings.compiled as {"base": {"params": {}}}
		with data.catalog.state as _reads
	object.keys(shared) == {"AuditAcl", "AuditBroker", "AuditClientConfigs", "AuditTopic"}
	every operation, parts in shared { object.keys(parts) - operations[operation].reads == set() }
}
