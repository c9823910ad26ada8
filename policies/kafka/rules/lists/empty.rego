package kafka.rules.lists

import data.kafka.lists
import data.kafka.violation

# METADATA
# title: No empty list unless it has a meaning
# description: An empty list stops what reads the key when it starts, or leaves it without what it needs.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-1161
# custom:
#   id: KFK-LST-002
#   severity: high
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic, AlterBroker, StartBroker, AuditBroker]
#   params: {}
#   message: "Configuration '{config}' must not be empty. Valid values include: {valid}"
#   fix: leave {name} out to have its default, or set it to {valid}
deny contains violation.new(rego.metadata.rule(), args, ["configs", fault.key], []) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic", "AlterBroker", "StartBroker", "AuditBroker"}
	some fault in _list_faults
	input.params["KFK-LST-002"]
	fault.kind == "empty"
	args := {"name": fault.key, "config": fault.name, "valid": lists.valid_words(fault.row)}
}
