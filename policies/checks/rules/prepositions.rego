package checks.rules

# `from_`, `to_`, `with_` and `without_` are not among them: a conversion may begin with one.
_prepositions := {"at_", "by_", "for_", "in_", "of_", "on_"}

# METADATA
# description: A rule is called what it gives. What begins with a preposition says only whose it is, or where it counts.
_preposition_problems contains _problem(file, rule, message) if {
	some file, module in input.modules
	some rule in module.rules
	strings.any_prefix_match(trim_left(_rule_name(rule), "_"), _prepositions)
	message := $"{_rule_name(rule)} begins with a preposition: call it what it gives"
}

# Tests may have one for what they expect.
_preposition_problems contains _problem(
	file,
	rule,
	$"{_rule_name(rule)} says what is not so: call it what it gives",
) if {
	some file, module in input.modules
	not endswith(file, "_test.rego")
	some rule in module.rules
	startswith(trim_left(_rule_name(rule), "_"), "not_")
}
