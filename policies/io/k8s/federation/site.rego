package io.k8s.federation

# A site's own rules: the package `site.placement`, and packages below it, one for each team, about all objects; and
# `site.tenants[NAMESPACE]`, with packages below it, about the objects of that namespace. What they can say:
# `annotations[key] contains value`, `errors contains message`, `warnings contains message`,
# `clusters contains name` (only those may be used), `required contains name` (those must be used),
# `tolerations contains …` and `spread contains …`. With `about contains why if …` all that a package says is about
# objects for which it has a member; where there is no such rule, it is about all of them.

_placement_rule_names := {"about", "annotations", "clusters", "errors", "required", "spread", "tolerations", "warnings"}

# METADATA
# description: What a site's rules say of an object, those of all its packages together.
site(thing) := {
	"annotations": {pair | some source in sources; some pair in _annotation_pairs(source.annotations)},
	"errors": union({
		_joint_members(sources, "errors"),
		{message | some source in sources; some message in _shape_errors(source)},
		_toleration_and_spread_errors(sources),
	}),
	"warnings": _joint_members(sources, "warnings"),
	"about": _joint_members(sources, "about"),
	"limits": [_member_set(source.clusters) | some source in sources],
	"required": _joint_members(sources, "required"),
	"tolerations": _joint_members(sources, "tolerations"),
	"spread": _joint_members(sources, "spread"),
} if {
	sources := array.concat(_relevant_sources(_placement_packages(thing)), _relevant_sources(_packages_of_tenant(thing)))
}

_placement_packages(thing) := packages if {
	packages := data.site.placement with input as thing
} else := {}

# A tenant's rules see the objects of their own namespace alone, and are evaluated for no other.
_packages_of_tenant(thing) := packages if {
	namespace := thing.metadata.namespace
	is_string(namespace)
	data.site.loaded.namespaces[namespace] == "namespace"
	packages := data.site.tenants[namespace] with input as thing
} else := {}

_relevant_sources(packages) := [source |
	some source in array.concat([packages], [below |
		some name, below in packages
		not name in _placement_rule_names
		is_object(below)
	])
	_is_about(object.get(source, "about", true))
]

# What is of another shape leaves the package in force, and is an error.
_is_about(about) if not about in {false, set()}

_joint_members(sources, name) := {member | some source in sources; some member in _member_set(source[name])}

# A rule of one value says one thing, whatever its shape: what a site denies stays denied.
_member_set(said) := {member | some member in said} if type_name(said) in {"array", "set"}

_member_set(said) := {said} if is_string(said)

_member_set(said) := {json.marshal(said)} if not type_name(said) in {"array", "set", "string"}

# Each annotation with each of its values as the rules give them, one for a rule of a single value.
_annotation_pairs(annotations) := {[key, value] |
	some key, said in annotations
	some value in _value_set(said)
} if {
	is_object(annotations)
}

_value_set(said) := said if is_set(said)

_value_set(said) := {said} if not is_set(said)

_shape_errors(source) := {"site.placement: annotations is not an object of annotations to values" |
	not is_object(object.get(source, "annotations", {}))
} | {"site.placement: about is not a set: write `about contains \"why\" if …`" |
	not type_name(object.get(source, "about", true)) in {"boolean", "set"}
}

# As what an object says is checked, so is what a rule adds.
_toleration_and_spread_errors(sources) := {$"site.placement: toleration {json.marshal(toleration)}: {problem}" |
	some toleration in _joint_members(sources, "tolerations")
	some problem in _toleration_errors(toleration)
} | {$"site.placement: spread {json.marshal(constraint)}: {problem}" |
	some constraint in _joint_members(sources, "spread")
	some problem in _spread_errors(constraint)
}

_toleration_errors(toleration) := toleration_problems(toleration) if is_object(toleration)

_toleration_errors(toleration) := {"not an object"} if not is_object(toleration)

_spread_errors(constraint) := _spread_contradictions(constraint, []) if _is_spread_constraint(constraint)

_spread_errors(constraint) := {$"not by one of {known} with whole min and max"} if {
	not _is_spread_constraint(constraint)
	known := concat(", ", sort(object.keys(data.catalog.placement.spreadBy)))
}
