# METADATA
# title: Stored values
# description: Values that are stored and that Kafka would not store.
package kafka.rules.stored

import data.kafka.configs
import data.kafka.violation

# METADATA
# title: Only values that Kafka can have stored
# description: |
#   A number that is none, or a value out of its ConfigDef's bounds: the state is not a broker's, or the value
#   is older than the bound. No other rule reads what has no value, and Kafka refuses every change of the resource.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-1030%3A+Change+constraints+and+default+values+for+various+configurations
# custom:
#   id: KFK-STO-001
#   severity: high
#   operations: [AuditTopic, AuditBroker]
#   params: {}
#   message: Invalid value {fault}
#   fix: set {name} to a value of its type and within its bounds, or remove it
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"AuditBroker", "AuditTopic"}
	some [name, problem] in _impossible_value_faults
	input.params["KFK-STO-001"]
	patch := violation.removal(name)
	args := {"name": name, "fault": trim_prefix(problem, "Invalid value ")}
}

_impossible_value_faults contains [fault.name, fault.message] if {
	kind := _config_kind_by_operation[input.operation]
	some fault in configs.value_faults(kind, input.requested.configs, input.requested.values)
}

# A listener's own values are as those of any listener.
_impossible_value_faults contains [name, fault.message] if {
	input.operation == "AuditBroker"
	some name, text in input.requested.configs
	base := configs.base_name(name)
	some fault in configs.value_faults("broker", {base: text}, configs.values("broker", {base: text}))
}

_config_kind_by_operation := {"AuditBroker": "broker", "AuditTopic": "topic"}
