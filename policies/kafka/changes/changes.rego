# METADATA
# title: Changes
# description: |
#   What a change does, by what is in force before and after it: which way each config and field goes, and what that
#   puts at risk (data.catalog.classes). `input` is a document as the rules see it.
# scope: subpackages
# schemas:
#   - input: schema.rule_input
package kafka.changes

import data.kafka.cluster
import data.kafka.configs

# METADATA
# description: |
#   Every config that a change names or removes, and every field that it alters: its value in force `before` and
#   `after`, the `directions` in which it goes and the `class` of what that puts at risk.
each := object.union(config_changes, field_changes)

# METADATA
# description: The part of `each` that is about configs.
# scope: document
default config_changes := {}

config_changes := classified(_resource_kind, input.change, was, input.effective.values) if {
	input.operation in {"AlterTopic", "AlterBroker", "AlterConfig"}
	was := {name: _value_before(name) | some name in named(input.change)}
}

# What was in force: of the few names of a change, where all that is would be dozens or hundreds.
_value_before(name) := object.get(_values_before, name, null) if input.change.before[name]

_value_before(name) := _inherited_value(name) if not input.change.before[name]

# A caller may know another state before than the cluster's.
_values_before := input.current.values if {
	input.change.before == input.current.configs
} else := configs.values(_resource_kind, input.change.before)

default _inherited_value(_) := null

_inherited_value(name) := input.effective.values[name] if {
	not input.change.after[name]
} else := value if {
	value := configs.typed(_resource_kind, name, _inherited_config_texts[name])
} else := data.catalog[_resource_kind].defaults.values[name]

_inherited_config_texts := cluster.part(input, "defaults") if _resource_kind == "topic"

# Under a broker's own dynamic configs lie those of its file, or those of all brokers.
_inherited_config_texts := object.union(shared, object.get(input, ["current", "configs"], {})) if {
	_resource_kind == "broker"
	shared := object.get(cluster.part(input, "brokers"), ["", "configs"], {})
}

_resource_kind := "topic" if input.operation == "AlterTopic"

_resource_kind := "broker" if input.operation == "AlterBroker"

_resource_kind := configs.kinds[input.resource.type] if input.operation == "AlterConfig"

# METADATA
# description: |
#   The names of the overrides that a change of configs of `kind` (configs.resolved) adds, removes or gives another
#   value. Another text for the same value is none.
altered_names(kind, change) := {name |
	some name in (object.keys(change.before) | object.keys(change.after))
	before := object.get(change.before, name, null)
	after := object.get(change.after, name, null)
	before != after
	not _is_same_value(kind, name, before, after)
}

_is_same_value(kind, name, before, after) if {
	value := configs.typed(kind, name, before)
	_comparable_value(kind, value) == _comparable_value(kind, configs.typed(kind, name, after))
}

# Of the lists of topics neither order nor repetition means anything.
_comparable_value("topic", value) := {member | some member in value} if is_array(value)

_comparable_value("topic", value) := value if not is_array(value)

_comparable_value(kind, value) := value if kind != "topic"

# METADATA
# description: The part of `each` that is about fields.
field_changes[field] := row(object.get(data.catalog.classes.fields, field, {}), value.before, value.after) if {
	some field, value in _before_and_after_by_field
	value.before != value.after
}

_before_and_after_by_field[field] := {"before": input.current[field], "after": input.requested[field]} if {
	input.operation == "AlterTopic"
	some field in ["numPartitions", "replicasAssignments"]
}

# Partitions may have different numbers of replicas: the one that will have the fewest stands for the topic, and where
# some lose replicas, one of those.
_before_and_after_by_field[field] := size if {
	input.operation == "AlterTopic"
	not input.request.replicationFactor
	field := "replicationFactor"
	sizes := [[count(move.after), count(move.before)] | some move in moves; count(move.after) != count(move.before)]
	[after, before] := min(_falling_or_all(sizes, [pair | some pair in sizes; pair[0] < pair[1]]))
	size := {"before": before, "after": after}
}

# Where only a number is wanted, the partition that has the most now stands for the topic.
_before_and_after_by_field[field] := {"before": max(sizes), "after": wanted} if {
	input.operation == "AlterTopic"
	field := "replicationFactor"
	wanted := input.request.replicationFactor
	sizes := [count(_staying_replicas(partition, present)) |
		some partition, present in input.current.replicasAssignments
	]
}

_before_and_after_by_field[field] := {"before": null, "after": input[field]} if {
	input.operation == "DeleteRecords"
	field := "deletedMessageOffsets"
}

_before_and_after_by_field["topic"] := {"before": input.topic, "after": null} if input.operation == "DeleteTopic"

_falling_or_all(sizes, []) := sizes

_falling_or_all(_, falling) := falling if falling != []

# METADATA
# description: |
#   The partitions whose replicas the request changes, each with the brokers `before` and `after`. What an earlier
#   reassignment is about to remove counts as gone.
moves[partition] := {"before": before, "after": after} if {
	some partition, after in input.requested.replicasAssignments
	present := input.current.replicasAssignments[partition]
	present != after # else the request leaves it to whatever runs
	before := _staying_replicas(partition, present)
	before != after
}

_staying_replicas(partition, present) := [broker | some broker in present; not broker in removing] if {
	removing := object.get(input.current, ["reassigning", partition, "removing"], [])
}
