package kafka.changes

import data.kafka.configs

# METADATA
# title: Classes of a change
# description: |
#   As kafka/configs/change, what the change does to each config that it names or removes: values in force before and after,
#   directions and class. `defaults` are the cluster's, for what has no override.
# entrypoint: true
classes := {"classes": classified(kind, configs.change, before, after), "errors": []} if {
	configs.change.errors == []
	kind := configs.kinds[lower(replace(object.get(input, "resourceType", "topic"), "_", "-"))]
	before := configs.effective(kind, _cluster, configs.change.before)
	after := configs.effective(kind, _cluster, configs.change.after)
} else := {"classes": {}, "errors": configs.change.errors}

_cluster := {"clusterState": {"defaults": defaults, "brokers": {"": {"configs": defaults}}}} if {
	defaults := object.get(input, "defaults", {})
}

# METADATA
# description: |
#   The class of each config of a resource of `kind` that `change` (configs.resolved) names or removes; `before` and `after`
#   are all values in force.
classified(kind, change, before, after) := {name: row(object.get(rows, name, {}), was, is) |
	some name in (object.keys(change.explicit) | {name | some name in change.implicitlyDeleted})
	was := object.get(before, name, null)
	is := object.get(after, name, null)
} if {
	rows := object.get(data.catalog.classes, kind, {})
}

# METADATA
# description: One value that goes from `before` to `after`, by its row of the catalogue.
row(directed, before, after) := {"before": before, "after": after, "directions": sort(directions), "class": _gravest(classes_met)} if {
	directions := _directions(type_name(before), type_name(after), before, after, directed)
	classes_met := {object.get(directed, direction, "compatibility") | some direction in directions}
}

_gravest(met) := [class | some class in array.concat(data.catalog.classes.gravest, ["noOp"]); class in (met | {"noOp"})][0]

_directions("number", "number", before, after, directed) := _numeric(_rank(before, directed), _rank(after, directed))

_directions("boolean", "boolean", before, after, _) := {direction |
	before != after
	direction := {true: "turnsOn", false: "turnsOff"}[after]
}

_directions("array", "array", before, after, _) := {$"gains {member}" | some member in after; not member in before} | {$"loses {member}" | some member in before; not member in after}

_directions(was, is, before, after, _) := {"changes" | before != after} if {
	not [was, is] in [["number", "number"], ["boolean", "boolean"], ["array", "array"]]
}

# What means no limit is more than any number.
_rank(number, directed) := [number == object.get(directed, "unlimited", null), number]

_numeric(before, after) := {"rises" | after > before} | {"falls" | after < before}
