package kafka.violation

# METADATA
# description: |
#   What was said before of one of `violations` that is still broken, and less: as near as before to where its rule is
#   not broken, on the same side, by the rule's own order. Of several in one place, which cannot be distinguished, only
#   what is the same was found. `earlier` are the violations before.
better(violation, violations, earlier) := one.message if {
	not violation in earlier
	is_number(violation.order)
	_counterparts(violation, violations) == [violation]
	[one] := _counterparts(violation, earlier)
	abs(violation.order) <= abs(one.order)
	violation.order * one.order >= 0
}

_counterparts(violation, violations) := [other |
	some other in violations
	[other.rule, other.path] == [violation.rule, violation.path]
]
