package checks.rules

import data.kafka.operations

# METADATA
# description: |
#   A row of kafka/operations names the families that have a rule about its operation, and kafka/rules/rules.rego, which
#   writes them out once more, evaluates these. A family that it left out would deny nothing, and nobody would notice.
_operation_problems contains _at(rule, message) if {
	some rule in _library
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
	row := operations[_name(rule)]
	row.subject != "part"
	superfluous := row.families - {_family_of(other.file) |
		some other in _library
		_name(rule) in other.annotation.custom.operations
	}
	superfluous != set()
	message := $"{_name(rule)}: no rule of these families is about it: {concat(", ", sort(superfluous))}"
}

_operation_problems contains _problem(_router, rule, message) if {
	some rule in input.modules[_router].rules
	_name(rule) == "violations"
	written := _families_in(rule.head.value)
	some operation in _operations_in(rule.body)
	listed := operations[operation].families
	wrong := (written - listed) | ((listed - written) - _evaluated_always(rule.head.value))
	wrong != set()
	message := $"{operation}: its row in kafka/operations says otherwise of {concat(", ", sort(wrong))}"
}

_operation_problems contains _problem(_router, {}, $"{operation}: no rule `violations` is about it") if {
	routed := {operation |
		some rule in input.modules[_router].rules
		_name(rule) == "violations"
		some operation in _operations_in(rule.body)
	}
	routed != set()
	some operation, _ in operations
	not operation in routed
}

# METADATA
# description: The package holds rows and nothing else, so that whatever an input names as its operation is a row.
_operation_problems contains _problem(file, rule, $"{_name(rule)} is no row of the table of operations") if {
	some file, module in _modules
	glob.match("kafka/operations/*.rego", ["/"], file)
	some rule in module.rules
	not operations[_name(rule)].subject
}

_router := "kafka/rules/rules.rego"

_family_of(file) := split(file, "/")[2]

_families_in(tree) := {term.value[0].value |
	walk(tree, [_, term])
	term.type == "ref"
	term.value[1].value == "deny"
}

_operations_in(body) := {operation |
	walk(body, [_, term])
	term.type == "string"
	operation := object.get(_operation_of_part, term.value, term.value)
	operations[operation]
}

_operation_of_part := {"name": "AuditTopicName", "labels": "AuditTopicLabels", "configs": "AuditTopicConfigs"}

# What is evaluated for every operation that has it among its families.
_evaluated_always(tree) := families if {
	walk(tree, [_, term])
	[term.type, term.value] == ["var", "_always"]
	families := union({_families_in(rule.body) |
		some rule in input.modules[_router].rules
		_name(rule) == "_always"
	})
} else := set()
