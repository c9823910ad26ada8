package kafka.brokers

import data.kafka.configs
import data.kafka.errors

# METADATA
# description: Kafka's own refusals of a request about a broker (ConfigAdminManager, DynamicBrokerConfig).
refusals(document) := _refusals(document.operation, document)

_refusals("StartBroker", document) := configs.invalid("broker", document.request.configs)

_refusals("AuditBroker", document) := _missing(document)

_refusals("AlterBroker", document) := union({
	_of_configs(document.request.configs, change.explicit),
	_not_dynamic(change.explicit),
	_not_for_all(document.request.broker, change.explicit),
	_replicas_in_sync(document, change),
	configs.too_long(change.before, change.after),
}) if {
	change := altered(document)
} else := _missing(document)

# A broker looks at values once the operations can be done, and calls a bad one a bad request; of topics it is a bad
# config.
_of_configs(change, named) := found if {
	found := configs.change_errors("broker", change)
	found != set()
} else := {errors.new("INVALID_REQUEST", refusal.message) | some refusal in configs.invalid("broker", named)}

_missing(document) := set() if {
	stored(document)
} else := {errors.new("INVALID_REQUEST", message)} if {
	message := $"Broker '{document.request.broker}' is not known in cluster '{document.cluster}'."
}

_not_dynamic(named) := {errors.new("INVALID_REQUEST", message) |
	names := [name | some name, _ in named; data.catalog.broker.configs[name].dynamic == "read-only"]
	names != []
	message := $"Cannot update these configs dynamically: [{concat(", ", names)}]"
}

_not_for_all("", named) := {errors.new("INVALID_REQUEST", message) |
	names := [name | some name, _ in named; data.catalog.broker.configs[name].dynamic == "per-broker"]
	names != []
	message := concat("", [
		"Cannot update these configs at default cluster level, broker id must be specified: ",
		$"[{concat(", ", names)}]",
	])
}

_not_for_all(broker, _) := set() if broker != ""
