package checks.settings

# METADATA
# description: What is wrong with the settings, each with the path to the place and one sentence.
# entrypoint: true
problems contains object.union({"path": path, "message": _sentence(error)}, _unknown_name_fields(error, path)) if {
	[_, errors] := json.match_schema(input.settings, schema)
	some error in errors
	error.desc != "Does not match format 'regex'"
	path := _field_path(error.field)
}

# Params that contradict each other.
problems contains {
	"path": array.concat(path, ["params", "max"]),
	"message": $"max {params.max} is below min {params.min}",
} if {
	some [path, rule] in _rule_statements
	params := rule.params
	is_number(params.min)
	is_number(params.max)
	params.max < params.min
}

problems contains {"path": array.concat(path, ["enforceFrom"]), "message": _date_problem(rule.enforceFrom)} if {
	some [path, rule] in _rule_statements
	_has_date_form(rule.enforceFrom)
	not time.parse_ns("2006-01-02", rule.enforceFrom)
}

problems contains {"path": ["waivers", format_int(i, 10), "expires"], "message": _date_problem(waiver.expires)} if {
	some i, waiver in input.settings.waivers
	_has_date_form(waiver.expires)
	not time.parse_ns("2006-01-02", waiver.expires)
}

problems contains {
	"path": ["waivers", format_int(i, 10), "rule"],
	"message": $"unknown rule {waiver.rule}",
	"unknown": waiver.rule,
	"known": sort(object.keys(input.rules)),
} if {
	some i, waiver in input.settings.waivers
	is_string(waiver.rule)
	not input.rules[waiver.rule]
}

problems contains {"path": ["waivers", format_int(i, 10), "id"], "message": $"waiver {waiver.id} is there already"} if {
	some i, waiver in input.settings.waivers
	some other in array.slice(input.settings.waivers, 0, i)
	other.id == waiver.id
}

# What a rule is never about never matches: such a waiver would be one in name only.
problems contains {
	"path": ["waivers", format_int(i, 10), field],
	"message": $"rule {waiver.rule} {advice}",
} if {
	some i, waiver in input.settings.waivers
	placement := "Admission" in object.get(input.rules[waiver.rule], "operations", [])
	some field in {true: ["cluster", "topic"], false: ["object"]}[placement]
	waiver[field]
	advice := _waiver_advice_by_placement[placement]
}

_waiver_advice_by_placement := {
	true: "is about placement: name what it is waived for by `object`, namespace/name",
	false: "is not about placement: name what it is waived for by `cluster` and `topic`",
}

# Every place that says something of a rule: the path to it, which ends in the rule's id, and what it says.
_rule_statements contains [["rules", id], rule] if some id, rule in input.settings.rules

_rule_statements contains [["enforcementPoints", enforcement_point, id], rule] if {
	some enforcement_point, rules in input.settings.enforcementPoints
	some id, rule in rules
}

_rule_statements contains [["clusters", format_int(i, 10), "rules", id], rule] if {
	some i, row in input.settings.clusters
	some id, rule in row.rules
}

# What the schema finds to be of another form is its own problem already.
_has_date_form(text) if regex.match(_date_schema.pattern, text)

_date_problem(text) := $"{text} is not a day of the calendar"

_field_path("(Root)") := []

_field_path(field) := split(field, ".") if field != "(Root)"

# The unknown name with those that there are, for a message that names the nearest.
_unknown_name_fields(error, path) := {"unknown": _unknown_property(error), "known": sort(_known_names(path))} if {
	error.type == "additional_property_not_allowed"
} else := {}

# Fields of the elements of lists.
_element_fields_by_list[name] := list.items.properties if some name, list in schema.properties

_known_names(path) := object.keys(schema.properties) if {
	path == []
} else := object.keys(input.rules) if {
	_has_rules(path)
} else := object.keys(input.rules[path[count(path) - 2]].params) if {
	path[count(path) - 1] == "params"
} else := {"mode", "enforceFrom", "found", "params"} if {
	_has_rules(array.slice(path, 0, count(path) - 1))
} else := object.keys(_element_fields_by_list[path[0]]) if {
	count(path) == 2
} else := object.keys(_element_fields_by_list[path[0]][path[2]].properties) if {
	count(path) == 3
} else := set()
