# METADATA
# title: Families of each operation
# description: |
#   The Rego that evaluates, of each operation, the families of rules that its row in kafka/operations names. Evaluated
#   when policies/kafka/rules/families.rego is written (`python -m tools.families`), never part of a bundle.
# scope: subpackages
package checks.families

import data.kafka.operations

# METADATA
# description: |
#   The text of that file. It is written, and not evaluated from the table, since OPA indexes rules by what they begin
#   with: family by family out of the table, a decision takes 2 to 7 % more allocations.
# entrypoint: true
source := concat("\n", ["package kafka.rules\n", _imports, "", _description, concat("\n\n", _rule_sources), ""])

_imports := concat("\n", [line |
	some family in sort(union({row.families | some row in operations}))
	line := $"import data.kafka.rules.{family}"
])

_description := concat("\n", [
	"# METADATA",
	"# description: |",
	"#   What the families, and a site's own rules, have against the prepared document in `input`. Written by",
	"#   `python -m tools.families` from the column `families` of kafka/operations: a family without a violation costs",
	"#   about 3 µs and 30 allocations, so that only those are evaluated that have rules about the operation.",
	"# scope: document",
])

_rule_sources := array.concat(
	[_rule(array.concat(_members(families), ["_common_denials"]), _conditions(group)) |
		some families, group in _operations_by_families
	],
	[_rule(_members(row.families), [$"\tinput.part == \"{part}\""]) |
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

_rule(members, conditions) := concat("\n", array.flatten([$"violations := {_union(members)} if \{", conditions, "}"]))

_members(families) := [member | some family in sort(families); member := $"{family}.deny"]

_union(members) := members[0] if count(members) == 1

_union(members) := concat("", ["union({", concat(", ", members), "})"]) if count(members) in {2, 3, 4, 5}

_union(members) := concat("\n", array.flatten(["union({", lines, "})"])) if {
	count(members) > 5
	lines := [$"\t{concat(", ", array.slice(members, i, i + 6))}," |
		some i in numbers.range_step(0, count(members) - 1, 6)
	]
}

# A part of an audit is prepared as the whole is, but that it has a name.
_conditions(group) := array.concat([$"\tinput.operation {_comparison_text(group)}"], [line |
	"AuditTopic" in group
	line := "\tnot input.part"
])

_comparison_text(group) := $"== {json.marshal(name)}" if {
	count(group) == 1
	some name in group
}

_comparison_text(group) := concat("", ["in {", concat(", ", names), "}"]) if {
	count(group) > 1
	names := [json.marshal(name) | some name in sort(group)]
}
