package checks.rules

# METADATA
# description: |
#   A parameter that a rule reads as patterns says so by `format: glob`, by which the check of settings tries them (one
#   that cannot be read matches nothing), and its description says that * matches any characters.
_metadata_problems contains _problem_at(rule, _describe_param(name, "write format: glob beside its type")) if {
	some rule in _library_rules
	some name, schema in rule.annotation.custom.params
	_is_described_as_pattern(schema)
	not _has_glob_format(schema)
}

_metadata_problems contains _problem_at(rule, _describe_param(name, "say: * matches any characters (glob)")) if {
	some rule in _library_rules
	some name, schema in rule.annotation.custom.params
	_has_glob_format(schema)
	not _is_described_as_pattern(schema)
}

_metadata_problems contains _problem_at(rule, "METADATA, custom.params: glob.match needs one with format: glob") if {
	some rule in _library_rules
	_is_matching_globs(rule.file)
	every schema in rule.annotation.custom.params { not _has_glob_format(schema) }
}

_describe_param(name, problem) := $"METADATA, custom.params.{name}: {problem}"

_is_described_as_pattern(schema) if contains(schema.description, "* matches any characters")

_has_glob_format(schema) if {
	walk(schema, [path, "glob"])
	path[count(path) - 1] == "format"
}

_is_matching_globs(file) if {
	walk(input.modules[file], [_, term])
	term.type == "ref"
	[part.value | some part in term.value] == ["glob", "match"]
}
