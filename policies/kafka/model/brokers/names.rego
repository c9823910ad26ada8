package kafka.model.brokers

import data.kafka.base.errors
import data.kafka.configs
import data.kafka.lists
import data.kafka.model.learnt

# METADATA
# description: |
#   What DynamicBrokerConfig.validateConfigs refuses of the configs that a change sets, by their names and each by
#   itself.
_dynamic_config_errors(document, texts) := refused if {
	refused := _read_only_config_errors(document, texts) | _missing_listener_prefix_errors(texts)
	refused != set()
} else := refused if {
	messages := _invalid_value_problems(texts) | learnt.faults(document, "broker", resolved_change(document).before, texts)
	refused := {errors.new("INVALID_REQUEST", message) | some message in messages}
	refused != set()
} else := _per_broker_config_errors(document.request.broker, texts)

# What the change sets: what it does not touch refuses nothing. What config providers are is read before all else, and
# then left out.
_explicit_configs(document) := {name: text |
	some name, text in resolved_change(document).explicit
	text != null
	not startswith(name, "config.providers")
}

_read_only_config_errors(document, texts) := _errors_naming_configs(
	"Cannot update these configs dynamically",
	[name | some name, _ in texts; _is_read_only(document, name)],
)

_is_read_only(_, name) if data.catalog.broker.configs[name].dynamic == "read-only"

_is_read_only(document, name) if learnt.row(document, "broker", name).readOnly

_missing_listener_prefix_errors(texts) := _errors_naming_configs(
	"These security configs can be dynamically updated only per-listener using the listener prefix",
	[name | some name, _ in texts; data.catalog.broker.configs[name].onlyPerListener],
)

_per_broker_config_errors(broker, texts) := _errors_naming_configs(
	"Cannot update these configs at default cluster level, broker id must be specified",
	[name | some name, _ in texts; broker == ""; _is_per_broker(name)],
)

_is_per_broker(name) if data.catalog.broker.configs[name].dynamic == "per-broker"

_is_per_broker(name) if {
	base := configs.base_name(name)
	not data.catalog.broker.configs[base].forAllListeners
}

_errors_naming_configs(text, names) := {errors.new("INVALID_REQUEST", $"{text}: [{concat(", ", names)}]") | names != []}

# A listener's own are read as those of all listeners; of what is read-only nobody reads them here.
_invalid_value_problems(texts) := {message |
	some name, text in texts
	base := _name_without_listener_prefix(name)
	data.catalog.broker.configs[base].dynamic != "read-only"
	some message in _config_value_problems(base, text)
}

# A value that is set has no duplicates dropped from it first (DynamicConfig.Broker.validate), but by older releases.
_config_value_problems(name, text) := doubled if {
	row := data.catalog.lists.components.broker[name]
	not "beside" in object.keys(data.catalog.broker)
	doubled := {fault.message | some fault in lists.faults(row, name, text); fault.kind == "duplicate"}
	doubled != set()
} else := {refusal.message | some refusal in configs.invalid("broker", {name: text})}

_name_without_listener_prefix(name) := base if {
	base := configs.base_name(name)
} else := name
