package checks.rules

_public_rule_names := {"deny", "annotate"}

_evaluated_rule_names := _public_rule_names | {"charge"}

# METADATA
# description: |
#   A rule's file has one public rule, `deny` or `annotate`, and everything else is its own. What stands in another file
#   of the family has a subject of its own, and is public nowhere.
_form_problems contains _problem(file, module["package"], message) if {
	some file, module in _rule_modules
	n := count([rule | some rule in module.rules; _rule_name(rule) in _public_rule_names])
	n != 1
	not _is_shared(file, n)
	message := $"a rule's file has one rule `deny` or `annotate`, not {n}"
}

_form_problems contains _problem(file, rule, message) if {
	some file, module in _rule_modules
	some rule in module.rules
	not _rule_name(rule) in (_evaluated_rule_names | {"candidates"})
	not startswith(_rule_name(rule), "_")
	message := $"{_rule_name(rule)} is public: only `deny` and `annotate` are, begin it with an underscore"
}

_form_problems contains _problem(file, rule, "`deny` has no METADATA with an id of its own") if {
	some file, module in _rule_modules
	some rule in module.rules
	_rule_name(rule) == "deny"
	_annotation_of(file, rule) == null
}

# OPA's index then drops the rule at once where it is not about the operation.
_form_problems contains _problem(file, rule, "the first statement is not about input.operation") if {
	some file, module in _rule_modules
	some rule in module.rules
	_rule_name(rule) in _evaluated_rule_names
	not _has_operation_first(rule)
}

_form_problems contains _problem(file, rule, message) if {
	some file, module in _rule_modules
	some rule in module.rules
	_rule_name(rule) == "deny"
	_has_operation_first(rule)
	annotation := _annotation_of(file, rule)
	annotation != null
	named := {term.value | walk(rule.body[0].terms, [_, term]); term.value in _operations}
	named != {operation | some operation in annotation.custom.operations}
	message := $"the METADATA names other operations than the first statement: {concat(", ", sort(named))}"
}

# What a cap counts grows with each item that is allowed, and with nothing else.
_form_problems contains _problem(file, deny, message) if {
	some file, module in _rule_modules
	some deny in module.rules
	_rule_name(deny) == "deny"
	is_cap := object.get(_annotation_of(file, deny), ["custom", "cap"], false)
	is_charging := "charge" in {_rule_name(rule) | some rule in module.rules}
	is_cap != is_charging
	message := "a rule has `cap: true` where its file has `charge`, which says what an allowed item adds, and only there"
}

# A name may have signs of its own, which a pointer escapes.
_form_problems contains _problem(file, term, "write the patch with violation.addition or violation.removal") if {
	some file, module in _rule_modules
	walk(module.rules, [_, term])
	term.type == "string"
	startswith(term.value, "/configs/")
}

# A family that the router does not evaluate would deny nothing, and nobody would notice.
_form_problems contains _problem(file, rule, message) if {
	some file, module in _rule_modules
	family := split(file, "/")[2]
	some rule in module.rules
	_rule_name(rule) in _evaluated_rule_names
	member := $"{family}.{_rule_name(rule)}"
	not member in _evaluated_family_rules
	message := $"family {family} is not evaluated: kafka/rules lacks {member}"
}

# METADATA
# description: Every file lies where its package says, and everything public in it is described.
_form_problems contains _problem(file, module["package"], $"package {name} does not lie in its own directory") if {
	some file, module in input.modules
	parts := split(trim_prefix(_package_name(module), "data."), ".")
	name := concat(".", parts)
	directory := array.slice(split(file, "/"), 0, count(split(file, "/")) - 1)
	parts != _expected_package(file, directory)
}

_form_problems contains _problem(file, module["package"], $"package {_package_name(module)} has no METADATA") if {
	some file, module in _modules
	not _package_name(module) in _described_names
}

_form_problems contains _problem(file, rule, $"{_rule_name(rule)} is public and has no METADATA") if {
	some file, module in _modules
	some rule in module.rules
	not startswith(_rule_name(rule), "_")
	not $"{_package_name(module)}.{_rule_name(rule)}" in _described_names
}

# What a file holds is read before its rules are.
_form_problems contains _problem(file, module["package"], message) if {
	some file, module in _modules
	not file in _annotated_files
	message := "the file has no METADATA: say above its first rule what it holds"
}

_is_shared(file, 0) if not file in {rule.file | some rule in _library_rules}

_evaluated_family_rules contains $"{family}.{name}" if {
	some file in ["kafka/rules/charges.rego", "kafka/rules/families.rego", "kafka/rules/rules.rego"]
	walk(input.modules[file], [_, term])
	term.type == "ref"
	family := term.value[0].value
	name := term.value[1].value
	name in _evaluated_rule_names
}

_annotated_files contains entry.location.file if some entry in input.annotations

_described_names contains concat(".", [part.value | some part in entry.path]) if some entry in input.annotations

# A test is a package of its own beside the one it tests.
_expected_package(file, directory) := directory if not endswith(file, "_test.rego")

_expected_package(file, directory) := array.concat(
	array.slice(directory, 0, count(directory) - 1),
	[concat("", [directory[count(directory) - 1], "_test"])],
) if {
	endswith(file, "_test.rego")
}

_annotation_of(file, rule) := entry.annotation if {
	some entry in _library_rules
	[entry.file, entry.row] == [file, rule.location.row]
} else := null

_has_operation_first(rule) if {
	walk(rule.body[0].terms, [_, term])
	term.type == "ref"
	[part.value | some part in term.value] == ["input", "operation"]
}
