package kafka.changes

import data.kafka.configs

# METADATA
# title: Classes of a change
# description: |
#   As kafka/configs/change, what the change does to each config that it names or removes: values in force before and
#   after, directions and class. `defaults` are the cluster's, for what has no override.
# entrypoint: true
classes := {"classes": classified(kind, configs.change, before, after), "errors": []} if {
	configs.change.errors == []
	kind := configs.kinds[lower(replace(object.get(input, "resourceType", "topic"), "_", "-"))]
	before := configs.effective(kind, _document_with_defaults, configs.change.before)
	after := configs.effective(kind, _document_with_defaults, configs.change.after)
} else := {"classes": {}, "errors": configs.change.errors}

_document_with_defaults := {"clusterState": {"defaults": defaults, "brokers": {"": {"configs": defaults}}}} if {
	defaults := object.get(input, "defaults", {})
}

# METADATA
# description: |
#   The class of each config of a resource of `kind` that `change` (configs.resolved) names or removes;
#   `before` and `after` are values in force.
classified(kind, change, before, after) := {name: row(directed, was, is) |
	some name in named(change)
	directed := object.union(object.get(rows, name, {}), _unlimited_field(kind, name))
	was := object.get(before, name, null)
	is := object.get(after, name, null)
} if {
	rows := object.get(data.catalog.classes, kind, {})
}

# The number that means no limit, where one does.
_unlimited_field(kind, name) := {"unlimited": data.catalog[kind].configs[name].noLimit.is} if {
	data.catalog[kind].configs[name].noLimit
} else := {}

# METADATA
# description: The configs that a change names or, as a full replacement, removes unsaid.
named(change) := object.keys(change.explicit) | {name | some name in change.implicitlyDeleted}

# METADATA
# description: One value that goes from `before` to `after`, by its row of the catalogue.
row(directed, before, after) := {"before": before, "after": after, "directions": sort(directions), "class": class} if {
	directions := _directions([type_name(before), type_name(after)], before, after, directed)
	met := {object.get(directed, direction, "compatibility") | some direction in directions}
	class := [class | some class in data.catalog.classes.order; class in met][0]
} else := {"before": before, "after": after, "directions": [], "class": "noOp"}

# What means no limit is more than any number.
_directions(["number", "number"], before, after, directed) := risen | fallen if {
	unlimited := object.get(directed, "unlimited", null)
	before_rank := [before == unlimited, before]
	after_rank := [after == unlimited, after]
	risen := {"rises" | after_rank > before_rank}
	fallen := {"falls" | after_rank < before_rank}
}

_directions(["boolean", "boolean"], before, after, _) := {object.get({true: "turnsOn"}, after, "turnsOff") |
	before != after
}

_directions(["array", "array"], before, after, _) := gained | lost if {
	gained := {$"gains {member}" | some member in after; not member in before}
	lost := {$"loses {member}" | some member in before; not member in after}
}

_directions(types, before, after, _) := {"changes" | before != after} if {
	not types in {["number", "number"], ["boolean", "boolean"], ["array", "array"]}
}
