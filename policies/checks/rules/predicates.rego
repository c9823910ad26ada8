package checks.rules

# What a predicate begins with, after its underscores.
_predicate_prefixes := {"is_", "has_", "are_", "can_"}

# Predicates that others name: OPA itself asks for the rule that drops a line of its log.
_externally_named_predicates := {"data.system.log.drop"}

# METADATA
# description: A rule without a value says yes or no, and is called so.
_predicate_problems contains _problem(file, rule, message) if {
	some file, module in _modules
	some rule in module.rules
	_is_predicate(rule)
	not strings.any_prefix_match(trim_left(_rule_name(rule), "_"), _predicate_prefixes)
	not $"{_package_name(module)}.{_rule_name(rule)}" in _externally_named_predicates
	message := $"{_rule_name(rule)} says yes or no: begin it with {concat(", ", sort(_predicate_prefixes))}"
}

# No value is written, nor is it one of an object by its key.
_is_predicate(rule) if {
	rule.head.value.value == true
	not rule.head.assign
	count(rule.head.ref) == 1
}
