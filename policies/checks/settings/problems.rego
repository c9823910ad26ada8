package checks.settings

# METADATA
# description: What is wrong with the settings, each with the path to the place and one sentence.
# entrypoint: true
problems contains {"path": _path(error.field), "message": _sentence(error)} if {
	[_, errors] := json.match_schema(input.settings, schema)
	some error in errors
}

# Params that contradict each other.
problems contains {"path": ["rules", id, "params", "max"], "message": $"max {params.max} is below min {params.min}"} if {
	some id, rule in input.settings.rules
	params := rule.params
	params.max < params.min
}

problems contains {"path": ["rules", id, "params", name], "message": $"{json.marshal(pattern)} is not a regular expression (RE2)"} if {
	some id, rule in input.settings.rules
	some name, pattern in rule.params
	input.rules[id].params[name].format == "regex"
	not regex.is_valid(pattern)
}

problems contains {"path": ["waivers", format_int(i, 10), "rule"], "message": $"unknown rule {waiver.rule}"} if {
	some i, waiver in input.settings.waivers
	is_string(waiver.rule)
	not input.rules[waiver.rule]
}

problems contains {"path": ["waivers", format_int(i, 10), "id"], "message": $"waiver {waiver.id} is there already"} if {
	some i, waiver in input.settings.waivers
	some other in array.slice(input.settings.waivers, 0, i)
	other.id == waiver.id
}

_path("(Root)") := []

_path(field) := split(field, ".") if field != "(Root)"

# What a schema calls an additional property is an unknown rule or parameter to the reader of a settings file.
_kinds := {"rules": "rule", "params": "parameter", "points": "point"}

_sentence(error) := $"unknown {kind} {property}" if {
	error.type == "additional_property_not_allowed"
	path := _path(error.field)
	last := array.concat(["settings"], path)[count(path)]
	kind := object.get(_kinds, last, "field")
	property := trim_suffix(trim_prefix(error.desc, "Additional property "), " is not allowed")
} else := trim_prefix(_lower_first(error.desc), $"{error.field} ")

_lower_first(text) := concat("", [lower(substring(text, 0, 1)), substring(text, 1, -1)])
