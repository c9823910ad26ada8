package checks.rules_test

_rows := "kafka/operations/topics.rego"

# Operations of the one rule of the library, and one about which it has none.
_table(families) := {
	"CreateTopic": {"subject": "topic", "families": families},
	"AuditTopic": {"subject": "audit", "families": {"durability"}},
	"AuditTopicName": {"subject": "part", "families": {"naming"}},
}

_row(name) := concat("", ["package kafka.operations\n\n", name, " := 0"])

_checked(source, table) := result if {
	modules := object.union(_good.modules, {_rows: rego.parse_module(_rows, source)})
	described := [{"annotations": {"description": "x"}, "location": {"file": _rows, "row": 1}, "path": _path(pieces)} |
		some pieces in [
			["data", "kafka", "operations"],
			["data", "kafka", "operations", "CreateTopic"],
			["data", "kafka", "operations", "helper"],
		]
	]
	document := object.union(_good, {"modules": modules, "annotations": array.concat(_good.annotations, described)})
	result := _messages(document) with data.kafka.operations as table
}

test_operations[note] if {
	some note, tc in {
		"as it is": {"messages": set()},
		"a family that the row lacks": {
			"families": {"sizing"},
			"messages": {
				"CreateTopic in the METADATA: its row in kafka/operations lacks the family durability",
				"CreateTopic: no rule of these families is about it: sizing",
			},
		},
		"a family too many": {
			"families": {"clients", "durability"},
			"messages": {"CreateTopic: no rule of these families is about it: clients"},
		},
		"no row": {"source": _row("helper"), "messages": {"helper is not a row of the table of operations"}},
	}
	table := _table(object.get(tc, "families", {"durability"}))
	tc.messages == _checked(object.get(tc, "source", _row("CreateTopic")), table)
}
