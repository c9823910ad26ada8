package checks.settings

# METADATA
# description: |
#   Texts of a `format` that no JSON schema holds them to. A pattern or a time zone that cannot be read would make a
#   rule match nothing, and a rule that forbids would then allow.
# scope: rule
problems contains {"path": path, "message": message} if {
	some [path, format, text] in _formatted_texts
	message := _format_problem(format, text)
}

# What METADATA says of a parameter, or of what is in it, holds for every text in it.
_formatted_texts contains [path, format, text] if {
	some [rule_path, rule] in _rule_statements
	some name, value in rule.params
	walk(input.rules[rule_path[count(rule_path) - 1]].params[name], [schema_path, format])
	schema_path[count(schema_path) - 1] == "format"
	walk(value, [value_path, text])
	is_string(text)
	path := array.flatten([rule_path, "params", name, [$"{part}" | some part in value_path]])
}

_formatted_texts contains [["clusters", $"{i}", "match", "name"], "glob", row.match.name] if {
	some i, row in input.settings.clusters
	is_string(row.match.name)
}

_formatted_texts contains [["waivers", $"{i}", field], "glob", pattern] if {
	some i, waiver in input.settings.waivers
	some field, pattern in object.filter(waiver, ["cluster", "topic", "object"])
	is_string(pattern)
}

_formatted_texts contains [["superUsers", $"{i}"], "glob", pattern] if {
	some i, pattern in input.settings.superUsers
	is_string(pattern)
}

_format_problem("regex", text) := $"{json.marshal(text)} is not a regular expression (RE2)" if {
	not regex.is_valid(text)
}

_format_problem("glob", text) := message if {
	not _is_glob(text)
	pattern := json.marshal(text)
	message := $"invalid pattern {pattern}: expected each \{ and [ closed, and a \\ before one that is meant as it is"
}

_format_problem("day", text) := $"{_date_problem(text)}: expected one such as 2026-12-31" if {
	_has_date_form(text)
	not time.parse_ns("2006-01-02", text)
}

_format_problem("time-zone", text) := $"unknown time zone {json.marshal(text)}: expected one such as Europe/Berlin" if {
	not time.clock([0, text])
}

# Undefined where the pattern cannot be read.
_is_glob(text) if glob.match(text, null, "") in {true, false}
