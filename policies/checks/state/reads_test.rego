package checks.state_test

import data.checks.state

_reads(sources) := reads.A if {
	modules := {file: concat("\n\n", ["package kafka.rules.one", body]) | some file, body in sources}
	reads := state.reads with input as {"modules": modules, "rules": {"A": "kafka/rules/one/a.rego"}}
}

test_how_a_path_is_written[body] if {
	some body, paths in {
		`a := input.requested.numPartitions`: [["requested", "numPartitions"]],
		`a := input.effective.values["retention.ms"]`: [["effective", "values", "retention.ms"]],
		`a := input.labels[b]`: [["labels"]],
		`a := input.requested.configs[b].c`: [["requested", "configs"]],
		`a := input.params["A"]`: [],
		`a if input.operation == "CreateTopic"`: [],
		`a := cluster.part(input, "totals")`: [],
		`a := object.get(input, ["clusterState", "totals"], 0)`: [],
		`a := object.get(input, "principal", 0)`: [],
		`a := object.get(input, "labels", 0)`: [[]],
		`a := brokers.known_values(input).listeners`: [[]],
		`a := f(input)`: [[]],
	}
	paths == _reads({"kafka/rules/one/a.rego": body})
}

# What a file names counts, with what that names; what it does not name is another's.
test_what_a_family_shares if {
	[["acl"], ["labels"], ["topic"]] == _reads({
		"kafka/rules/one/a.rego": `deny contains 1 if { input.topic; _b }`,
		"kafka/rules/one/b.rego": `_b if { input.labels; _c }`,
		"kafka/rules/one/one.rego": `_c if input.acl`,
		"kafka/rules/one/other.rego": `_d if input.entity`,
	})
}

test_libraries_that_read[body] if {
	some body, paths in {"a := input.change.after": [[]], "a := input.mode": [], "a := 1": []}
	modules := {
		"kafka/rules/one/a.rego": "package kafka.rules.one\n\nimport data.kafka.lib\n\na := lib.a",
		"kafka/lib/lib.rego": concat("\n\n", ["package kafka.lib", body]),
	}
	reads := state.reads with input as {"modules": modules, "rules": {"A": "kafka/rules/one/a.rego"}}
	reads.A == paths
}
