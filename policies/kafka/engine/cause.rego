package kafka.engine

import data.kafka.base.effects
import data.kafka.operations
import data.kafka.rules
import data.kafka.violation as broken

# METADATA
# description: |
#   The violations with their effects and causes: `found` is what the same rules say, in the same place, of the state
#   before the change, and what the change does not make worse; all else is `caused`. Looked at only where something has
#   an effect that a cause could alter, and nothing is found where the state is in doubt.
# scope: document
_with_causes(violations, document, shared) := effects.with_effects(violations, document, shared.now) if {
	not operations[document.operation].unchanged
} else := [_with_cause(violation, found, document) | some violation in effective] if {
	shared.doubt == null
	effective := effects.with_effects(violations, document, shared.now)
	{violation.effect | some violation in effective} - {"waived"} != set()
	found := _earlier_messages_by_violation(violations, document, shared)
} else := [_with_cause(violation, {}, document) |
	some violation in effects.with_effects(violations, document, shared.now)
]

# What is waived stays so, whatever was before.
_with_cause(violation, _, _) := object.union(violation, {"cause": null}) if violation.effect == "waived"

_with_cause(violation, found, document) := effects.found(violation, found[_rule_path_message(violation)], document) if {
	violation.effect != "waived"
}

_with_cause(violation, found, _) := violation if {
	violation.effect != "waived"
	not found[_rule_path_message(violation)]
}

_rule_path_message(violation) := [violation.rule, violation.path, violation.message]

# What was said before of each violation that was found.
_earlier_messages_by_violation(violations, document, shared) := {_rule_path_message(violation): message |
	some violation in violations
	message := _message_before(violation, violations, earlier, states)
} if {
	row := operations[document.operation]
	request := object.union(object.filter(document.request, row.unchanged.of), row.unchanged.change)
	change := object.remove(document, ["unknown"])
	states := {
		"before": _rule_input(row.subject, shared, object.union(object.remove(change, ["request"]), {"request": request})),
		"after": _rule_input(row.subject, shared, change),
	}
	families := {_rule_family(violation.rule) | some violation in violations}
	earlier := {one | some family in families; some one in rules.violations_of_family(family)} with input as object.union(
		object.remove(states.before, ["params"]),
		{"params": object.remove(states.before.params, _skippable_rules(violations))},
	)
}

# The rules of the library that said nothing, and whose parameters none reads that did.
_skippable_rules(violations) := (object.keys(data.catalog.rules) - said) - used if {
	said := {violation.rule | some violation in violations}
	used := {other | some rule in said; some other in data.catalog.state.params[rule]}
}

# What is not a rule's of the library is evaluated together.
_rule_family(rule) := substring(rule, 0, 7) if startswith(rule, "KFK-")

_rule_family(rule) := "" if not startswith(rule, "KFK-")

_message_before(violation, _, earlier, states) := violation.message if {
	violation in earlier
	_has_unaltered_input(object.get(violation, "order", null), violation, states)
}

_message_before(violation, violations, earlier, _) := broken.better(violation, violations, earlier)

# What a change of what topics inherit does to them is looked at of each topic (kafka/engine/topic_defaults).
_message_before(violation, _, _, _) := violation.order.before if is_string(violation.order.before)

# What a rule names by its path is the same, where its METADATA says that its words tell the rest; else all that is read
# by its file, or by its package of a site's own, is.
_has_unaltered_input(order, _, _) if is_number(order)

_has_unaltered_input("same", violation, states) if {
	override := [["requested", "configs", violation.path[1]]]
	_values_at(override, states.before) == _values_at(override, states.after)
}

_has_unaltered_input(order, _, states) if _has_same_values(data.site.reads[order.of], states)

_has_unaltered_input(null, violation, states) if _has_same_values(data.catalog.state.inputs[violation.rule], states)

# A rule that reads nothing of what will be, or anything of the request itself, is about that there is a change at all.
_has_same_values(paths, states) if {
	first := {path[0] | some path in paths}
	first & {"effective", "requested"} != set()
	first - {"acl", "broker", "effective", "entity", "labels", "requested", "resource", "topic"} == set()
	not [] in paths
	_values_at(paths, states.before) == _values_at(paths, states.after)
}

_values_at(paths, state) := [object.get(typed, path, null) | some path in paths] if typed := _with_typed_configs(state)

# Another text for the same value is the same.
_with_typed_configs(prepared) := object.union(prepared, {"requested": {"configs": values}}) if {
	values := prepared.requested.values
} else := prepared
