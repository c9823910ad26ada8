package checks.state_test

import data.checks.state

# Its own are not among them; those of what it uses are.
test_params_of_other_rules[body] if {
	some body, others in {
		`a if input.params.A`: set(),
		`a if input.params["A"]`: set(),
		`a if input.params["B"]`: {"B"},
		`a := object.get(input.params, ["B", "most"], 0)`: {"B"},
		`a := _helper`: {"C"},
		`a if input.params["D"]`: set(),
	}
	modules := {
		"kafka/rules/one/a.rego": concat("\n\n", ["package kafka.rules.one", body]),
		"kafka/rules/one/b.rego": "package kafka.rules.one\n\n_helper := input.params[\"C\"]",
	}
	rules := {"A": "kafka/rules/one/a.rego", "B": "kafka/rules/one/b.rego", "C": "kafka/rules/two/a.rego"}
	found := state.params with input as {"modules": modules, "rules": rules}
	{name | some name in found.A} == others
}
