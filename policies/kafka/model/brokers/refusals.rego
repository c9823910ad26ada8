package kafka.model.brokers

import data.kafka.base.errors
import data.kafka.cluster
import data.kafka.configs
import data.kafka.model.learnt

# METADATA
# description: Kafka's own refusals of a request about a broker (ConfigAdminManager, DynamicBrokerConfig).
refusals(document) := _operation_refusals(document.operation, document)

_operation_refusals("StartBroker", document) := union({
	_policy_conflict_errors(document.request.configs),
	_broker_file_errors(document.request.configs, _unknown_config_names(document)),
})

_operation_refusals("AuditBroker", document) := _missing_broker_errors(document)

# The broker that gets the request looks at one thing after the other, and only then the controller at its own.
_operation_refusals("AlterBroker", document) := refused if {
	refused := configs.change_errors("broker", document.request.configs, _possible_list_configs(document))
	"INVALID_REQUEST" in {error.name | some error in refused}
} else := refused if {
	refused := _missing_broker_errors(document)
	refused != set()
} else := refused if {
	refused := configs.change_errors("broker", document.request.configs, _possible_list_configs(document))
	refused != set()
} else := refused if {
	refused := _dynamic_config_errors(document, _explicit_configs(document))
	refused != set()
} else := refused if {
	refused := _reconfiguration_errors(document)
	refused != set()
} else := _min_isr_errors(document, change) | configs.too_long(change.before, change.after) if {
	change := resolved_change(document)
}

_possible_list_configs(document) := learnt.possible_lists(document, "broker", document.request.configs)

_missing_broker_errors(document) := set() if {
	stored(document)
} else := {errors.new("INVALID_REQUEST", _missing_broker_message(document.request.broker, document))}

# To which of several brokers the request goes is not known. Another spelling of a broker's id is nobody's: what is
# stored under it no broker reads.
_missing_broker_message(name, document) := $"Node id must be an integer, but it is: {name}" if {
	not configs.int32(name)
} else := $"Unexpected broker id, expected {min(brokers)}, but received {name}" if {
	brokers := object.keys(cluster.part(document, "brokers")) - {""}
	count(brokers) == 1
	not $"{configs.int32(name)}" in brokers
	trim_space(name) == name
} else := $"Broker '{name}' is not known in cluster '{document.cluster}'." if {
	trim_space(name) == name
} else := $"Node id must be an integer, but it is: {name}"
