package kafka.rules.lists

import data.kafka.lists
import data.kafka.lists.scope
import data.kafka.violation

# METADATA
# title: Stored lists that the next release takes
# description: A value stored years ago can stop a broker of the next release, or mean something else to it.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-1161
#   - https://kafka.apache.org/documentation/#upgrade
# custom:
#   id: KFK-LST-005
#   severity: high
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic, AlterBroker, StartBroker, AuditBroker]
#   params:
#     targetVersion: {type: string, pattern: "^[0-9]+\\.[0-9]+(\\.[0-9]+)?$", description: The release to be.}
#   message: "{name} would be {outcome} by Kafka {version}: {problem}"
#   fix: set {name} to a value that both releases read the same way before the upgrade
deny contains violation.new(rego.metadata.rule(), args, ["configs", key], []) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic", "AlterBroker", "StartBroker", "AuditBroker"}
	target := input.params["KFK-LST-005"].targetVersion
	some key, entry in scope.rows(_component_by_operation[input.operation], input.requested.configs)
	under := lists.outcome_under(entry.row, entry.name, entry.value, [0, 0, 0], lists.version(target))
	args := {"name": key, "outcome": under.outcome, "version": target, "problem": under.message}
}

_component_by_operation := {
	"CreateTopic": "topic",
	"AlterTopic": "topic",
	"AuditTopic": "topic",
	"AlterBroker": "broker",
	"StartBroker": "broker",
	"AuditBroker": "broker",
}
