package kafka.rules.lists

import data.kafka.violation

# METADATA
# title: No null where a list has to be
# description: A properties file cannot hold null, so a null marks an error of the tool that wrote it.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-1161
# custom:
#   id: KFK-LST-001
#   severity: high
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic, AlterBroker, StartBroker, AuditBroker]
#   params: {}
#   message: Configuration '{config}' values must not be null.
#   fix: leave {name} out to have its default, or set it
deny contains violation.new(rego.metadata.rule(), args, ["configs", fault.key], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic", "AlterBroker", "StartBroker", "AuditBroker"}
	some fault in _list_faults
	input.params["KFK-LST-001"]
	fault.kind == "null"
	patch := violation.removal(fault.key)
	args := {"name": fault.key, "config": fault.name}
}
