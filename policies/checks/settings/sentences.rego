package checks.settings

# METADATA
# description: |
#   Sentences about settings, in place of the schema validator's. What a schema calls an additional property is an
#   unknown rule, parameter or operation to the reader of a settings file.
_setting_kind(path) := "rule" if {
	_has_rules(path)
} else := "parameter" if {
	path[count(path) - 1] == "params"
} else := "operation" if {
	path[count(path) - 1] == "operations"
} else := "field"

_has_rules(path) if path[count(path) - 1] == "rules"

_has_rules(["enforcementPoints", _])

# What the schema's validator says, in the words of who writes settings.
_sentence(error) := $"unknown {_setting_kind(_field_path(error.field))} {_unknown_property(error)}" if {
	error.type == "additional_property_not_allowed"
} else := $"must be {_type_text(expected)}, not {_type_text(given)}" if {
	error.type == "invalid_type"
	[expected, given] := split(trim_prefix(error.desc, "Invalid type. Expected: "), ", given: ")
} else := $"{_missing_property(error)} is missing: write its mode and params" if {
	error.type == "required"
	_has_rules(_field_path(error.field))
} else := $"{_missing_property(error)} is missing: write it" if {
	error.type == "required"
} else := "invalid day: expected one such as 2026-12-31" if {
	error.desc == $"Does not match pattern '{_date_schema.pattern}'"
} else := trim_prefix(_lower_first(error.desc), $"{error.field} ")

_type_text(name) := object.get(_text_by_type, name, name)

_text_by_type := {
	"array": "a list",
	"boolean": "true or false",
	"integer": "an integer",
	"null": "empty",
	"number": "a number",
	"object": "a mapping",
	"string": "a string",
}

_missing_property(error) := trim_suffix(error.desc, " is required")

_unknown_property(error) := trim_suffix(trim_prefix(error.desc, "Additional property "), " is not allowed")

_lower_first(text) := concat("", [lower(substring(text, 0, 1)), substring(text, 1, -1)])
