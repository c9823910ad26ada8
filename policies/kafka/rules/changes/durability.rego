package kafka.rules.changes

import data.kafka.changes
import data.kafka.violation

# METADATA
# title: Durability is not lowered
# description: |
#   Fewer copies, fewer that must agree, or leaders that miss records weaken a topic in
#   silence; nobody notices until a broker is lost. A topic without an override changes with
#   the default of the brokers.
# related_resources:
#   - https://kafka.apache.org/documentation/#replication
#   - https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
# custom:
#   id: KFK-CHG-003
#   severity: critical
#   controls: [SOC2 A1.2, SOC2 CC8.1, PCI-DSS 6.5.1, ISO27001 A.8.14, ISO27001 A.8.32]
#   operations: [AlterTopic]
#   inherited: true
#   params:
#     keys:
#       type: array
#       items: {type: string}
#       description: "Configs, and replicationFactor, that may not go the way that lowers durability."
#   message: "{name} goes from {before} to {after}, which lowers durability"
#   fix: leave {name} at {before}
deny contains violation.new(rego.metadata.rule(), args, _violation_path(name), []) if {
	input.operation == "AlterTopic"
	params := input.params["KFK-CHG-003"]
	some name in params.keys
	change := changes.each[name]
	change.class == "durability"
	args := {"name": name, "before": change.before, "after": change.after}
}

_violation_path("replicationFactor") := ["replicationFactor"] if input.request.replicationFactor

_violation_path("replicationFactor") := ["reassignments"] if not input.request.replicationFactor

_violation_path(name) := ["configs", name] if name != "replicationFactor"
