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
	_start_refusals(document.request.configs, _unknown_names(document)),
})

_operation_refusals("AuditBroker", document) := _missing_broker_errors(document)

# The broker that gets the request looks at one thing after the other, and only then the controller at its own.
_operation_refusals("AlterBroker", document) := refused if {
	refused := configs.change_errors("broker", document.request.configs, _lists(document))
	"INVALID_REQUEST" in {error.name | some error in refused}
} else := refused if {
	refused := _missing_broker_errors(document)
	refused != set()
} else := refused if {
	refused := configs.change_errors("broker", document.request.configs, _lists(document))
	refused != set()
} else := refused if {
	refused := _naming_problems(document, _explicit_configs(document))
	refused != set()
} else := refused if {
	refused := _unfit_refusals(document)
	refused != set()
} else := _min_isr_errors(document, change) | configs.too_long(change.before, change.after) if {
	change := resolved_change(document)
}

_lists(document) := learnt.possible_lists(document, "broker", document.request.configs)

_missing_broker_errors(document) := set() if {
	stored(document)
} else := {errors.new("INVALID_REQUEST", _node_id_error(document.request.broker, document))}

# To which of several brokers the request goes is not known. Another spelling of a broker's id is nobody's: what is
# stored under it no broker reads.
_node_id_error(name, document) := $"Node id must be an integer, but it is: {name}" if {
	not configs.int32(name)
} else := $"Unexpected broker id, expected {min(brokers)}, but received {name}" if {
	brokers := object.keys(cluster.part(document, "brokers")) - {""}
	count(brokers) == 1
	not $"{configs.int32(name)}" in brokers
	trim_space(name) == name
} else := $"Broker '{name}' is not known in cluster '{document.cluster}'." if {
	trim_space(name) == name
} else := $"Node id must be an integer, but it is: {name}"
