package kafka.base.request

# METADATA
# description: |
#   Types of what requests about client configs carry. What can be read but means nothing (an unknown entity type, a
#   match type that there is not) is refused later, in words that name it.
# scope: rule
is_a("clientEntity", value) if {
	every name in value { type_name(name) in {"string", "null"} }
}

is_a("clientOps", value) if {
	every op in value { _is_client_op(op) }
}

is_a("clientComponents", value) if {
	every component in value { _is_client_component(component) }
}

is_a("strings", value) if {
	every text in value { is_string(text) }
}

_is_client_op(op) if {
	object.keys(op) - {"key", "value", "remove"} == set()
	is_string(op.key)
	type_name(object.get(op, "value", null)) in {"string", "null"}
	is_boolean(object.get(op, "remove", false))
}

_is_client_component(component) if {
	object.keys(component) - {"entityType", "matchType", "match"} == set()
	is_string(component.entityType)
	type_name(component.matchType) in {"string", "number"}
	type_name(object.get(component, "match", null)) in {"string", "null"}
}
