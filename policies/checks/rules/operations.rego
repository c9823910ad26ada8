package checks.rules

import data.kafka.operations

# METADATA
# description: |
#   A row of kafka/operations names the families that have a rule about its operation; these are evaluated. A family
#   that it left out would deny nothing, and nobody would notice.
_operation_problems contains _problem_at(rule, message) if {
	some rule in _library_rules
	family := _family_of(rule.file)
	some operation in rule.annotation.custom.operations
	not family in operations[operation].families
	operations[operation]
	message := $"{operation} in the METADATA: its row in kafka/operations lacks the family {family}"
}

_operation_problems contains _problem(file, rule, message) if {
	some file, module in _modules
	glob.match("kafka/operations/*.rego", ["/"], file)
	some rule in module.rules
	row := operations[_rule_name(rule)]
	row.subject != "part"
	superfluous := row.families - {_family_of(other.file) |
		some other in _library_rules
		_rule_name(rule) in other.annotation.custom.operations
	}
	superfluous != set()
	message := $"{_rule_name(rule)}: no rule of these families is about it: {concat(", ", sort(superfluous))}"
}

# METADATA
# description: The package holds rows and nothing else, so that whatever an input names as its operation is a row.
_operation_problems contains _problem(file, rule, $"{_rule_name(rule)} is not a row of the table of operations") if {
	some file, module in _modules
	glob.match("kafka/operations/*.rego", ["/"], file)
	some rule in module.rules
	not operations[_rule_name(rule)].subject
}

_family_of(file) := split(file, "/")[2]
