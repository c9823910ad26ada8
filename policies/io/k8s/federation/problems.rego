package io.k8s.federation

# What of an object cannot be read.

# METADATA
# description: What keeps a value from being an object that can be placed, one sentence per field.
object_problems(thing) := {"the input is not a Kubernetes object: send it as JSON"} if {
	not is_object(thing)
} else := form_problems if {
	form_problems := _form_problems(thing)
	form_problems != set()
} else := union({
	_demand_problems(thing),
	_preferences_problems(thing),
	_toleration_and_spread_problems(thing),
})

_form_problems(thing) := union({
	{$"{field}: {json.marshal(object.get(thing, field, null))} is not a non-empty string" |
		some field in ["apiVersion", "kind"]
		not _is_non_empty_string(object.get(thing, field, null))
	},
	{"metadata: not an object" | not is_object(object.get(thing, "metadata", null))},
	{$"metadata.{field}: {json.marshal(value)} is not a string" |
		some field in ["generateName", "name", "namespace"]
		value := thing.metadata[field]
		not is_string(value)
	},
	{$"metadata.{field}: not an object of names to strings" |
		is_object(thing.metadata)
		some field in ["annotations", "labels"]
		not type_name(object.get(thing.metadata, field, null)) in {"object", "null"}
	},
	{$"metadata.labels.{name}: {json.marshal(value)} is not a string" |
		some name, value in thing.metadata.labels
		not is_string(value)
	},
	{$"metadata.annotations.{name}: null is not a string" | some name, value in thing.metadata.annotations; value == null},
})

_is_non_empty_string(value) if {
	is_string(value)
	value != ""
}

_demand_problems(thing) := ({message |
	value := _demand_annotation(thing, "eu")
	not value in {"true", "false"}
	message := $"{_demand_field("eu")}: {json.marshal(value)} is not \"true\" or \"false\""
} | {message |
	value := _demand_annotation(thing, "pci")
	not _is_level_text(value)
	message := $"{_demand_field("pci")}: {json.marshal(value)} is not a number of a level, as in \"2\""
}) | {message |
	some key, _ in annotations_of(thing)
	startswith(key, data.catalog.placement.demandPrefix)
	known := {demand | some demand in data.catalog.placement.demands}
	not key in known
	message := $"{_annotation_field(key)}: unknown demand: use {concat(", ", sort(known))}"
}

_demand_field(name) := _annotation_field(data.catalog.placement.demands[name])

_annotation_field(key) := $"metadata.annotations.{key}"

_is_level_text(value) if {
	is_string(value)
	regex.match(`^(0|[1-9][0-9]{0,8})$`, value)
}

_preferences_problems(thing) := {$"metadata.annotations.{key}: {problem}" |
	key := preferences_key(thing)
	wishes := preferences(thing)
	wishes != null
	some problem in _preferences_value_problems(wishes)
}

_preferences_value_problems(wishes) := {"not JSON of {\"rebalance\": …, \"clusters\": {name: {\"weight\": …}}}"} if {
	not is_object(wishes)
} else := union({
	{$"unknown field {field}: use clusters and rebalance" |
		some field in (object.keys(wishes) - {"clusters", "rebalance"})
	},
	{"rebalance is not true or false" | not is_boolean(object.get(wishes, "rebalance", false))},
	{"clusters is not an object of cluster names" | not is_object(object.get(wishes, "clusters", null))},
	{$"clusters.{name} is not an object of weight, minReplicas and maxReplicas" |
		some name, preference in wishes.clusters
		not is_object(preference)
	},
	{$"clusters.{name}.{field}: unknown field: use weight, minReplicas and maxReplicas" |
		some name, preference in wishes.clusters
		some field in (object.keys(preference) - {"weight", "minReplicas", "maxReplicas"})
	},
	{$"clusters.{name}.{field}: {json.marshal(value)} is not a whole number from 0" |
		some name, preference in wishes.clusters
		some field, value in preference
		not _is_natural_number(value)
	},
	{$"clusters.{name}: minReplicas is above maxReplicas" |
		some name, preference in wishes.clusters
		_is_natural_number(preference.minReplicas)
		preference.minReplicas > preference.maxReplicas
	},
})

_is_natural_number(value) if {
	is_number(value)
	value >= 0
	value == floor(value)
}

_toleration_and_spread_problems(thing) := (({$"{_demand_field(name)}: not a JSON list of objects" |
	some name in ["tolerations", "spread"]
	list := annotation_list(thing, name)
	not _are_objects(list)
} | {message |
	some i, constraint in annotation_list(thing, "spread")
	not _is_spread_constraint(constraint)
	known := concat(", ", sort(object.keys(data.catalog.placement.spreadBy)))
	message := $"{_demand_field("spread")}: constraint {i} is not by one of {known} with whole min and max"
}) | {message |
	some i, constraint in annotation_list(thing, "spread")
	_is_spread_constraint(constraint)
	some problem in _spread_contradictions(constraint, array.slice(annotation_list(thing, "spread"), 0, i))
	message := $"{_demand_field("spread")}: constraint {i}: {problem}"
}) | {message |
	some i, toleration in annotation_list(thing, "tolerations")
	is_object(toleration)
	some problem in toleration_problems(toleration)
	message := $"{_demand_field("tolerations")}: toleration {i}: {problem}"
}

_spread_contradictions(constraint, before) := {"min is above max" |
	constraint.max > 0
	constraint.min > constraint.max
} | {$"an earlier one is by {constraint.by} too" |
	some other in before
	other.by == constraint.by
}

_are_objects(list) if {
	is_array(list)
	every item in list { is_object(item) }
}

_is_spread_constraint(constraint) if {
	data.catalog.placement.spreadBy[constraint.by]
	object.keys(constraint) - {"by", "min", "max"} == set()
	every field in ["min", "max"] { _is_natural_number(object.get(constraint, field, 0)) }
}
