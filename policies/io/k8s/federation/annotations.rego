package io.k8s.federation

import data.kafka.base.settings

# METADATA
# description: |
#   The annotations of a decision about an object, ours and the site's, with the decision's errors and warnings. Two
#   that differ for one annotation are an error that names it, and neither is set. A text is set as it is given.
annotated(thing, decision) := {
	"annotations": {key: _annotation_value(values) |
		some key, values in by_key
		count(_meanings(values)) == 1
		not null in values
	},
	"errors": sort(union({
		{error | some error in decision.errors},
		_conflict_errors(by_key),
		_null_errors(by_key),
		_kind_without_annotation_errors(thing, decision),
	})),
	"warnings": decision.warnings,
} if {
	pairs := _preferences_annotation_pairs(thing, decision) | decision.said.annotations
	by_key := {key: values |
		some [key, _] in pairs
		values := sort({value | some [other, value] in pairs; other == key})
	}
}

_meanings(values) := {meaning(value) | some value in values}

# Of values that mean the same: a text before JSON, and a number or boolean as its text, which keeps all digits.
_annotation_value(values) := texts[0] if {
	texts := [value | some value in values; is_string(value)]
	texts != []
} else := values[0] if type_name(values[0]) in _collection_type_names

else := json.marshal(values[0])

_preferences_annotation_pairs(thing, decision) := {[key, value] |
	decision.placed
	key := preferences_key(thing)
	value := object.filter(decision, ["clusters", "rebalance"])
}

_conflict_errors(by_key) := {message |
	some key, values in by_key
	count(_meanings(values)) > 1
	said := concat(" and to ", [json.marshal(value) | some value in values])
	message := $"annotation {key}: rules set it differently, to {said}"
}

_null_errors(by_key) := {$"annotation {key}: a rule sets it to null; an annotation cannot be taken away" |
	some key, values in by_key
	null in values
}

# A demand that no annotation can carry must not be passed over; kinds that the settings list have a target.
_kind_without_annotation_errors(thing, decision) := {message |
	decision.placed
	not preferences_key(thing)
	carried := object.get(settings.params("", "admission"), ["KFK-PLC-001", "carriedKinds"], [])
	{thing.kind, "*"} & {kind | some kind in carried} == set()
	known := concat(", ", sort(object.keys(data.catalog.placement.preferences)))
	message := $"{thing.kind}: policy decides where this object runs, but only {known} have an annotation that says so"
}
