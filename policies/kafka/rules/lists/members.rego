package kafka.rules.lists

import data.kafka.lists
import data.kafka.violation

# METADATA
# title: Only values that Kafka knows, none of them empty
# description: A misspelt or empty value in a list is refused, and takes the whole change or the start with it.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-1161
# custom:
#   id: KFK-LST-004
#   severity: high
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic, AlterBroker, StartBroker, AuditBroker]
#   params: {}
#   messages:
#     emptyMember: Configuration '{config}' values must not be empty.
#     member: Invalid value {fault}
#   fix: "set {name} to values that are valid: {valid}"
deny contains violation.new(rego.metadata.rule(), args, ["configs", fault.key], []) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic", "AlterBroker", "StartBroker", "AuditBroker"}
	some fault in _list_faults
	input.params["KFK-LST-004"]
	fault.kind in {"member", "emptyMember"}
	args := {
		"case": fault.kind,
		"name": fault.key,
		"config": fault.name,
		"fault": trim_prefix(fault.message, "Invalid value "),
		"valid": lists.valid_words(fault.row),
	}
}
