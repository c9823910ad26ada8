package checks.families_test

import data.checks.families

_header := [
	"",
	"# METADATA",
	"# description: |",
	"#   What the families, and a site's own rules, have against the prepared document in `input`. Written by",
	"#   `python -m tools.families` from the column `families` of kafka/operations: a family without a violation costs",
	"#   about 3 µs and 30 allocations, so that only those are evaluated that have rules about the operation.",
	"# scope: document",
]

_imports(names) := array.concat(["package kafka.rules", ""], [line |
	some name in names
	line := $"import data.kafka.rules.{name}"
])

_written(table) := sources["families.rego"] if {
	sources := families.sources with data.kafka.operations as table
}

test_each_kind_of_row[note] if {
	some note, tc in {
		"two operations of the same families": {
			"table": {
				"DeleteTopic": {"subject": "topic", "families": {"deletion", "changes"}},
				"AlterTopic": {"subject": "topic", "families": {"changes", "deletion", "clients"}},
			},
			"imports": ["changes", "clients", "deletion"],
			"rules": [
				"violations := union({changes.deny, deletion.deny, _common_denials}) if {",
				"\tinput.operation in {\"AlterTopic\", \"DeleteTopic\"}",
				"}",
			],
		},
		"rules about versions of APIs alone": {
			"table": {"AlterScram": {"subject": "scram", "families": {"clients"}}},
			"imports": ["clients"],
			"rules": ["violations := _common_denials if {", "\tinput.operation == \"AlterScram\"", "}"],
		},
		"clients' own rules": {
			"table": {"AuditClientConfigs": {"subject": "client", "families": {"clients"}}},
			"imports": ["clients"],
			"rules": [
				"violations := union({clients.deny, _common_denials}) if {",
				"\tinput.operation == \"AuditClientConfigs\"",
				"}",
			],
		},
		"an audit with its parts": {
			"table": {
				"AuditTopic": {"subject": "audit", "families": {"naming"}},
				"AuditTopicConfigs": {
					"subject": "part",
					"families": {"lists", "cleanup", "messages", "sizing", "retention", "stored", "tiering"},
				},
				"AuditBroker": {"subject": "broker", "families": {"brokers", "lists", "sizing", "stored"}},
				"AuditTopicName": {"subject": "part", "families": {"naming"}},
			},
			"imports": ["brokers", "cleanup", "lists", "messages", "naming", "retention", "sizing", "stored", "tiering"],
			"rules": [
				"violations := union({brokers.deny, lists.deny, sizing.deny, stored.deny, _common_denials}) if {",
				"\tinput.operation == \"AuditBroker\"",
				"}",
				"",
				"violations := union({naming.deny, _common_denials}) if {",
				"\tinput.operation == \"AuditTopic\"",
				"\tnot input.part",
				"}",
				"",
				"violations := union({",
				"\tcleanup.deny, lists.deny, messages.deny, retention.deny, sizing.deny, stored.deny,",
				"\ttiering.deny,",
				"}) if {",
				"\tinput.part == \"configs\"",
				"}",
				"",
				"violations := naming.deny if {",
				"\tinput.part == \"name\"",
				"}",
			],
		},
	}
	lines := array.flatten([_imports(tc.imports), _header, tc.rules, ""])
	_written(tc.table) == concat("\n", lines)
}

test_single_families if {
	table := {
		"AlterBroker": {"subject": "broker", "families": {"brokers", "lists"}, "unchanged": {"of": {"broker"}, "change": {}}},
		"AlterTopic": {"subject": "topic", "families": {"lists"}, "unchanged": {"of": {"topic"}, "change": {}}},
		"CreateAcl": {"subject": "acl", "families": {"access"}},
	}
	rules := {
		"KFK-LST-001": {"id": "KFK-LST-001", "file": "kafka/rules/lists/duplicates.rego"},
		"KFK-LST-002": {"id": "KFK-LST-002", "file": "kafka/rules/lists/length.rego"},
		"KFK-ACL-001": {"id": "KFK-ACL-001", "file": "kafka/rules/access/wildcards.rego"},
		"KFK-BRK-001": {"id": "KFK-BRK-001", "file": "kafka/rules/brokers/defaults.rego"},
		"KFK-PLC-001": {"id": "KFK-PLC-001", "file": "io/k8s/federation/lists/rules.rego"},
	}
	sources := families.sources with data.kafka.operations as table with input.rules as rules
	lines := split(sources["family_violations.rego"], "\n")
	array.slice(lines, 0, 4) == _imports(["brokers", "lists"])
	array.slice(lines, count(lines) - 7, count(lines)) == [
		"# scope: document",
		"violations_of_family(\"KFK-BRK\") := brokers.deny",
		"",
		"violations_of_family(\"KFK-LST\") := lists.deny",
		"",
		"violations_of_family(\"\") := _common_denials",
		"",
	]
}
