package checks.rules_test

_rows := "kafka/operations/topics.rego"

# Operations of the one rule of the library, and one about which it has none.
_table(families) := {
	"CreateTopic": {"subject": "topic", "families": families},
	"AuditTopic": {"subject": "audit", "families": {"durability"}},
	"AuditTopicName": {"subject": "part", "families": {"naming"}},
}

_row(name) := concat("", ["package kafka.operations\n\n", name, " := 0"])

_routed(rules) := concat("\n", array.concat(
	["package kafka.rules\n", "_always contains found if some found in clients.deny"],
	rules,
))

_checked(source, router, table) := result if {
	modules := object.union(_good.modules, {
		_rows: rego.parse_module(_rows, source),
		_router: rego.parse_module(_router, router),
	})
	described := [{"annotations": {"description": "x"}, "location": {"file": _rows, "row": 1}, "path": _path(pieces)} |
		some pieces in [
			["data", "kafka", "operations"],
			["data", "kafka", "operations", "CreateTopic"],
			["data", "kafka", "operations", "helper"],
			["data", "kafka", "rules", "violations"],
		]
	]
	document := object.union(_good, {"modules": modules, "annotations": array.concat(_good.annotations, described)})
	result := _messages(document) with data.kafka.operations as table
}

_good_router := [
	"violations := union({durability.deny, _always}) if input.operation in {\"CreateTopic\", \"AuditTopic\"}",
	"violations := naming.deny if input.part == \"name\"",
]

test_operations[note] if {
	some note, tc in {
		"as it is": {"messages": set()},
		"a family that the row lacks": {
			"families": {"sizing"},
			"messages": {
				"CreateTopic in the METADATA: its row in kafka/operations lacks the family durability",
				"CreateTopic: no rule of these families is about it: sizing",
				"CreateTopic: its row in kafka/operations says otherwise of durability, sizing",
			},
		},
		"no row": {"source": _row("helper"), "messages": {"helper is no row of the table of operations"}},
		"a family that is not evaluated": {
			"router": [
				"violations := _always if input.operation == \"CreateTopic\"",
				"violations := durability.deny if input.operation == \"AuditTopic\"",
				_good_router[1],
			],
			"messages": {"CreateTopic: its row in kafka/operations says otherwise of durability"},
		},
		"a family that is evaluated and not listed": {
			"router": [
				"violations := durability.deny | sizing.deny if input.operation == \"CreateTopic\"",
				"violations := durability.deny if input.operation == \"AuditTopic\"",
				_good_router[1],
			],
			"messages": {"CreateTopic: its row in kafka/operations says otherwise of sizing"},
		},
		"a family that is evaluated always": {
			"families": {"clients", "durability"},
			"messages": {"CreateTopic: no rule of these families is about it: clients"},
		},
		"a part": {
			"router": [_good_router[0], "violations := durability.deny if input.part == \"name\""],
			"messages": {"AuditTopicName: its row in kafka/operations says otherwise of durability, naming"},
		},
		"an operation that is left out": {
			"router": [_good_router[0]],
			"messages": {"AuditTopicName: no rule `violations` is about it"},
		},
	}
	table := _table(object.get(tc, "families", {"durability"}))
	router := _routed(object.get(tc, "router", _good_router))
	tc.messages == _checked(object.get(tc, "source", _row("CreateTopic")), router, table)
}
