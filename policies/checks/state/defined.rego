package checks.state

# METADATA
# description: |
#   A term that has a value whatever is known: no reference in it, and no call but of what is always defined.
_is_always_defined(term, file) if {
	whole := {at | walk(term, [at, node]); node.type in _always_defined_terms}
	every node in [node | walk(term, [at, node]); not _is_within(at, whole)] { not _can_be_undefined(node, file) }
}

_always_defined_terms := {"arraycomprehension", "objectcomprehension", "setcomprehension", "templatestring"}

_is_within(at, places) if {
	some place in places
	array.slice(at, 0, count(place)) == place
}

_can_be_undefined(node, file) if {
	node.type == "ref"
	not _is_defined_ref(node, file)
}

_can_be_undefined(node, file) if {
	node.type == "var"
	node.value in (_rego_rule_names(file) - _always_defined_names(file))
}

_is_defined_ref(ref, file) if {
	names := [piece.value | some piece in ref.value]
	names in ({[name] | some name in _always_defined_names(file)} | _always_defined_functions)
}

_always_defined_functions := {["concat"], ["object", "get"], ["sort"], ["sprintf"]}

# Rules and functions that end in an else without a condition, or have a default.
_always_defined_names(file) := {rule.head.name |
	some rule in _modules[file].rules
	_has_unconditional_end(rule)
}

_has_unconditional_end(rule) if rule["default"]

_has_unconditional_end(rule) if {
	some end in _branches(rule)
	not end["else"]
	every expression in end.body { expression.generated }
	end.head.value.type in {"boolean", "null", "number", "string"}
}

_branches(rule) := [branch | walk(rule, [at, branch]); count({step | some step in at} - {"else"}) == 0]
