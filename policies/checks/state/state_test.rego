package checks.state_test

import data.checks.state

_parts(sources, rules) := parts if {
	modules := {file: concat("\n\n", ["package x", body]) | some file, body in sources}
	parts := state.parts with input as {"modules": modules, "rules": rules}
}

test_how_a_part_is_named[body] if {
	some body, parts in {
		`a := cluster.part(input, "totals")`: ["totals"],
		`a if cluster.part(input, "totals")`: ["totals"],
		`a := data.kafka.cluster.part(document, "totals").topics`: ["totals"],
		`a := cluster.topic(input, "b")`: ["topics"],
		`a := cluster.broker_default(input, "num.partitions")`: ["defaults"],
		`a := input.clusterState.writes[b]`: ["writes"],
		`a := document.clusterState["writes"]`: ["writes"],
		`a := data.clusters[b].writes`: ["writes"],
		`a := data.clusters.prod["writes"].c`: ["writes"],
		`a := object.get(input, ["clusterState", "writes"], 0)`: ["writes"],
		`a := object.get(input, ["clusterState", "writes", "c"], 0)`: ["writes"],
		`a if not document.clusterState`: [],
		`a if data.clusters[b]`: [],
		`a := document.clusterState[name]`: [],
		`a := {"clusterState": "object"}`: [],
		`a := other.part(input, "totals")`: [],
		`a := cluster.part(input, name)`: [],
		`a := data.catalog.totals`: [],
	}
	_parts({"kafka/a/a.rego": body}, {}) == {"engine": parts, "rules": {}, "lookups": {}}
}

# What the engine reads to prepare what a rule reads is read for that rule.
test_parts_behind_the_prepared_input[body] if {
	some body, parts in {
		`a := input.effective.values["retention.ms"]`: ["defaults"],
		`a := input.requested.numPartitions`: ["defaults"],
		`a := input.requested.replicationFactor`: ["defaults"],
		`a := input.requested`: ["defaults"],
		`a := input.requested.configs`: [],
		`a := input.labels.owner`: ["labelPatterns"],
		`a := input.topic`: [],
		`a := f(input)`: ["defaults", "labelPatterns"],
	}
	sources := {"kafka/rules/one/a.rego": body}
	_parts(sources, {"A": "kafka/rules/one/a.rego"}) == {"engine": [], "rules": {"A": parts}, "lookups": {}}
}

test_parts_by_rule if {
	sources := {
		"kafka/rules/one/a.rego": `deny contains a if { a := cluster.part(input, "totals"); _c }`,
		"kafka/rules/one/b.rego": `deny contains b if { b := cluster.part(input, "writes") }`,
		"kafka/rules/one/one.rego": `_c := cluster.part(input, "users")`,
		"kafka/rules/one/c.rego": "import data.kafka.cluster\n\nc := cluster.topic({\"cluster\": \"b\"}, \"d\")",
		"kafka/rules/two/d.rego": "d if data.clusters.b.topics[input.topic]",
		"kafka/cluster/cluster.rego": `e := cluster.part(input, "topics")`,
	}
	rules := {
		"A": "kafka/rules/one/a.rego",
		"B": "kafka/rules/one/b.rego",
		"C": "kafka/rules/one/c.rego",
		"D": "kafka/rules/two/d.rego",
	}
	_parts(sources, rules) == {
		"engine": ["topics"],
		"rules": {"A": ["totals", "users"], "B": ["writes"], "C": ["topics"], "D": ["topics"]},
		"lookups": {"C": {"clusters": ["topics"], "topic": false}, "D": {"clusters": [], "topic": true}},
	}
}
