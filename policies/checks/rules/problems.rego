# METADATA
# title: Checks of rules
# description: |
#   Rules about our rules: their METADATA, their form, and that the settings have them. Evaluated by the tests, never
#   part of a bundle. `input` is {"modules": what `opa parse` makes of each file, by its path under policies/,
#   "annotations": what `opa inspect -a` lists, "settings": the settings that ship, "controls": the frameworks}.
# scope: subpackages
package checks.rules

import data.kafka.operations

# METADATA
# description: What is wrong, each with the file, the row and one sentence.
# entrypoint: true
problems := union({
	_metadata_problems,
	_form_problems,
	_number_problems,
	_operation_problems,
	_part_problems,
	_predicate_problems,
	_preposition_problems,
	_topic_iteration_problems,
	_settings_problems,
})

_problem(file, place, message) := {"file": file, "row": object.get(place, ["location", "row"], 1), "message": message}

_problem_at(rule, message) := _problem(rule.file, {"location": {"row": rule.row}}, message)

# Every file but tests.
_modules[file] := module if {
	some file, module in input.modules
	not endswith(file, "_test.rego")
}

# The files that hold a rule of the library each.
_rule_modules[file] := module if {
	some file, module in _modules
	glob.match("kafka/rules/*/*.rego", ["/"], file)
}

# The annotation of a rule and what it says about itself, by file and row.
_library_rules contains {"file": entry.location.file, "row": entry.location.row, "annotation": entry.annotations} if {
	some entry in input.annotations
	entry.annotations.custom.id
}

# Parts of an audit are no operations to the reader of a rule; those about placement are none of Kafka's.
_operations := sort({"Admission", "Remediation"} | {operation |
	some operation, row in operations
	row.subject != "part"
})

_package_name(module) := concat(".", [part.value | some part in module["package"].path])

_rule_name(rule) := rule.head.ref[0].value
