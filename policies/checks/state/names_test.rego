package checks.state_test

import data.checks.state

# Of texts and references, of a rule's file and of what that uses.
test_what_rules_name[body] if {
	some body, named in {
		`a := input.effective.values["retention.ms"]`: ["retention.ms"],
		`a if input.requested.numPartitions > 1`: ["numPartitions"],
		`a := {"compression.lz4.level": "lz4", "preallocate": 1}`: ["compression.lz4.level", "preallocate"],
		`a := object.get(input.effective.values, "cleanup.policy", [])`: ["cleanup.policy"],
		`a := _helper`: ["flush.ms"],
		`a if input.operation == "AlterTopic"`: [],
	}
	modules := {
		"kafka/rules/one/a.rego": concat("\n\n", ["package kafka.rules.one", body]),
		"kafka/rules/one/b.rego": "package kafka.rules.one\n\n_helper := \"flush.ms\"",
		"kafka/rules/two/a.rego": "package kafka.rules.two\n\na := \"segment.ms\"",
	}
	names := state.names with input as {"modules": modules, "rules": {"A": "kafka/rules/one/a.rego"}}
	names.A == named
}
