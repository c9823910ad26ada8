package kafka.engine.topic_defaults

import data.kafka.rules.changes as change_rules
import data.kafka.rules.cleanup
import data.kafka.rules.durability
import data.kafka.rules.messages
import data.kafka.rules.retention
import data.kafka.rules.sizing
import data.kafka.rules.tiering
import data.kafka.violation

# METADATA
# description: |
#   What rules have against each shape after the change; before it only where there is something. Whole objects, since
#   OPA evaluates a rule by keys anew for each key.
_violations_after_by_shape := {shape: broken |
	families := _affected_rule_families
	some shape in (object.keys(_topics_by_shape) | {_new_topic_shape})
	state := _audit_input(shape, "after")
	broken := _denials(families) with input as state
}

_violations_before_by_shape := {shape: broken |
	families := _affected_rule_families
	some shape, after in _violations_after_by_shape
	after != set()
	state := _audit_input(shape, "before")
	broken := _denials(families) with input as state
}

# Of a topic that is there, what rules have against the change itself.
_change_violations_by_shape := {shape: broken |
	"KFK-CHG" in _affected_rule_families
	some shape in _existing_topic_shapes
	change := _alter_input(shape)
	broken := change_rules.deny with input as change
}

# Where nobody says which topics there are, one that sets nothing itself may be among them.
_existing_topic_shapes := object.keys(_topics_by_shape) if not _are_topics_unknown

_existing_topic_shapes := {_new_topic_shape} if _are_topics_unknown

# The families with rules that read what is in force on a topic, or its numbers, and name what changes.
_denials(families) := {denied |
	some family in families
	some denied in _family_denials(family)
} | violation.site_violations

_evaluated_families := {"KFK-CHG", "KFK-CMP", "KFK-DUR", "KFK-MSG", "KFK-RET", "KFK-SIZ", "KFK-TIE"}

_affected_rule_families := {substring(id, 0, 7) | some id, _ in _config_names_by_affected_rule}

_family_denials("KFK-CMP") := cleanup.deny

_family_denials("KFK-DUR") := durability.deny

_family_denials("KFK-MSG") := messages.deny

_family_denials("KFK-RET") := retention.deny

_family_denials("KFK-SIZ") := sizing.deny

_family_denials("KFK-TIE") := tiering.deny

# What a rule says, by the key of the request that is behind it and by whether it was there before: each with the shape
# of which it says so, and what it said then.
_findings_by_kind_and_key := {group: rows |
	some group in {group | some [group, _] in _all_findings}
	rows := {row | some [other, row] in _all_findings; other == group}
}

_all_findings := _caused_findings | (_change_rule_findings | _earlier_findings)

_caused_findings := {[[_effect_rule_and_severity(denied), key, "caused"], [shape, denied, null]] |
	some shape, after in _violations_after_by_shape
	some denied in (after - _violations_before_by_shape[shape])
	not violation.better(denied, after, _violations_before_by_shape[shape])
	key := _causing_broker_config(denied, shape)
}

_change_rule_findings := {[[_effect_rule_and_severity(denied), key, "caused"], [shape, denied, null]] |
	some shape, broken in _change_violations_by_shape
	some denied in broken
	key := _causing_broker_config(denied, shape)
}

# Violations of one rule that differ in these are not one.
_effect_rule_and_severity(denied) := object.filter(denied, {"effect", "rule", "severity"})

default _earlier_findings := set()

# What is the same says something of the request only where it is about what that names.
_earlier_findings := {[[_effect_rule_and_severity(denied), key, "found"], [shape, denied, before]] |
	some shape, after in _violations_after_by_shape
	some denied in (after - _violations_before_by_shape[shape])
	before := violation.better(denied, after, _violations_before_by_shape[shape])
	key := _causing_broker_config(denied, shape)
} | {[[_effect_rule_and_severity(denied), key, "found"], [shape, denied, denied.message]] |
	some shape, after in _violations_after_by_shape
	some denied in (after & _violations_before_by_shape[shape])
	key := changed[_inherited_config_at_fault(denied, shape)].key
} if {
	input.operation == "AlterBroker"
}

_inherited_config_at_fault(denied, shape) := name if {
	name := denied.path[count(denied.path) - 1]
	not name in object.keys(shape.configs)
}

# What a topic sets itself may be wrong with what it inherits.
_causing_broker_config(denied, shape) := key if {
	key := changed[_inherited_config_at_fault(denied, shape)].key
} else := min({row.key | some name, row in changed; not name in object.keys(shape.configs)})
