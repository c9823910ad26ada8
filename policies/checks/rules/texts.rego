package checks.rules

# The texts of violations: the field for one text, and that for several by case.
_plural_by_field := {"message": "messages", "fix": "fixes"}

_violation_texts(custom) := {[field, custom[field]] | some field, _ in _plural_by_field} | {[$"{field}.{case}", text] |
	some field in _plural_by_field
	some case, text in custom[field]
}

_metadata_problems contains _problem_at(rule, $"METADATA, custom: {one} is required") if {
	some rule in _library_rules
	some one, many in _plural_by_field
	not rule.annotation.custom[one]
	not rule.annotation.custom[many]
}

_metadata_problems contains _problem_at(rule, $"METADATA, custom: {one} or {many}, not both") if {
	some rule in _library_rules
	some one, many in _plural_by_field
	rule.annotation.custom[one]
	rule.annotation.custom[many]
}

# METADATA
# description: A reader of the file sees what the rule says, so that no message is made in the body alone.
_metadata_problems contains _problem_at(
	rule,
	$"METADATA, custom.{field}: write what the rule says, not only {text}",
) if {
	some rule in _library_rules
	some [field, text] in _violation_texts(rule.annotation.custom)
	startswith(field, "message")
	regex.match(`^\s*\{[^{}]+\}\s*$`, text)
}

# METADATA
# description: |
#   Nor is the end of a message made in the body, except what comes as it is from a `message` of something else.
_metadata_problems contains _problem_at(
	rule,
	$"METADATA, custom.{field}: write messages by case, not {place} at the end",
) if {
	some rule in _library_rules
	some [field, text] in _violation_texts(rule.annotation.custom)
	startswith(field, "message")
	some name in ["problem", "what"]
	place := $"\{{name}}"
	endswith(text, place)
	not _is_filled_by_message(rule.file, name)
}

_metadata_problems contains _problem_at(rule, $"METADATA, custom.{field}: the file has no case {case}") if {
	some rule in _library_rules
	some field in _plural_by_field
	some case, _ in rule.annotation.custom[field]
	not case in _strings(rule.file)
}

# A case that is written in the body; of one that is a variable, the tests of the rule show the text.
_metadata_problems contains _problem_at(rule, $"METADATA, custom.{many}: no text for the case {case}") if {
	some rule in _library_rules
	some one, many in _plural_by_field
	not rule.annotation.custom[one]
	some case in _message_cases(rule.file)
	not rule.annotation.custom[many][case]
}

# `{"problem": found.message}`
_is_filled_by_message(file, name) if {
	walk(input.modules[file], [_, object_term])
	object_term.type == "object"
	some [key, value] in object_term.value
	key.value == name
	value.type == "ref"
	value.value[count(value.value) - 1].value == "message"
}

_strings(file) := {term.value |
	walk(input.modules[file], [_, term])
	term.type == "string"
}

_message_cases(file) := {value.value |
	walk(input.modules[file], [_, object_term])
	object_term.type == "object"
	some [key, value] in object_term.value
	key.value == "case"
	value.type == "string"
}
