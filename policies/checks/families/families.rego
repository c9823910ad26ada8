# METADATA
# title: Families of each operation
# description: |
#   The Rego that evaluates, of each operation, the families of rules that its row in kafka/operations names. Evaluated,
#   as that of single families is, when files of policies/kafka/rules are written (`python -m tools.families`), never
#   part of a bundle.
# scope: subpackages
package checks.families

import data.kafka.operations

# METADATA
# description: |
#   The text of each file of kafka/rules that is written, by its name; `input.rules` is the METADATA of all rules. They
#   are written, and not evaluated from the table, since OPA indexes rules by what they begin with: family by family out
#   of the table, a decision takes 2 to 7 % more allocations.
# entrypoint: true
sources := {
	"families.rego": _source(union({row.families | some row in operations}), _violations_metadata, _rule_sources),
	"family_violations.rego": _source(
		_families_with_before,
		_family_metadata,
		array.concat(_family_rule_sources, [`violations_of_family("") := _common_denials`]),
	),
}

_source(families, metadata, rule_sources) := concat("\n", array.flatten([
	"package kafka.rules\n",
	[$"import data.kafka.rules.{family}" | some family in sort(families)],
	"",
	metadata,
	concat("\n\n", rule_sources),
	"",
]))

_violations_metadata := [
	"# METADATA",
	"# description: |",
	"#   What the families, and a site's own rules, have against the prepared document in `input`. Written by",
	"#   `python -m tools.families` from the column `families` of kafka/operations: a family without a violation costs",
	"#   about 3 µs and 30 allocations, so that only those are evaluated that have rules about the operation.",
	"# scope: document",
]

_family_metadata := [
	"# METADATA",
	"# description: |",
	"#   The violations of one family, by how the ids of its rules begin, of those families that have rules about",
	"#   operations with a state before them: what is looked at twice is only what is broken. The rest stands under \"\".",
	"#   Written by `python -m tools.families` from the columns `families` and `unchanged` of kafka/operations.",
	"# scope: document",
]

_families_with_before := union({row.families | some row in operations; row.unchanged})

_family_rule_sources := [$"violations_of_family({json.marshal(prefix)}) := {family}.deny" |
	some [prefix, family] in _prefixes_and_families
]

# A rule's family is the directory that its file is in, and stands at the head of its id.
_prefixes_and_families contains [substring(rule.id, 0, 7), family] if {
	some rule in input.rules
	["kafka", "rules", family, _] = split(rule.file, "/")
	family in _families_with_before
}

_rule_sources := array.concat(
	[_rule_source(array.concat(_deny_references(families), ["_common_denials"]), _condition_lines(operation_names)) |
		some families, operation_names in _operations_by_families
	],
	[_rule_source(_deny_references(row.families), [$"\tinput.part == \"{part}\""]) |
		some operation, row in operations
		row.subject == "part"
		part := lower(trim_prefix(operation, "AuditTopic"))
	],
)

# Operations of the same families share a rule. Clients' rules are about the version of an API whatever the operation
# is, and are evaluated for all where the input names one (`_common_denials`); by themselves for what is about clients.
_operations_by_families[families] contains operation if {
	some operation, row in operations
	row.subject != "part"
	families := {family | some family in row.families; [family, row.subject == "client"] != ["clients", false]}
}

_rule_source(references, condition_lines) := concat("\n", array.flatten([
	$"violations := {_union_text(references)} if \{", condition_lines, "}",
]))

_deny_references(families) := [reference | some family in sort(families); reference := $"{family}.deny"]

_union_text(references) := references[0] if count(references) == 1

_union_text(references) := concat("", ["union({", concat(", ", references), "})"]) if count(references) in {2, 3, 4, 5}

_union_text(references) := concat("\n", array.flatten(["union({", lines, "})"])) if {
	count(references) > 5
	lines := [$"\t{concat(", ", array.slice(references, i, i + 6))}," |
		some i in numbers.range_step(0, count(references) - 1, 6)
	]
}

# A part of an audit is prepared as the whole is, but that it has a name.
_condition_lines(operation_names) := array.concat([$"\tinput.operation {_comparison_text(operation_names)}"], [line |
	"AuditTopic" in operation_names
	line := "\tnot input.part"
])

_comparison_text(operation_names) := $"== {json.marshal(name)}" if {
	count(operation_names) == 1
	some name in operation_names
}

_comparison_text(operation_names) := concat("", ["in {", concat(", ", names), "}"]) if {
	count(operation_names) > 1
	names := [json.marshal(name) | some name in sort(operation_names)]
}
