package kafka.resources

import data.kafka.configs
import data.kafka.errors

# METADATA
# description: |
#   What Kafka refuses of a change of a group's or a subscription's configs, each only where nothing before it is wrong:
#   operations, length, the resource's name, the names of keys, what cannot be read, and what is out of bounds
#   (kafka.server.ControllerConfigurationValidator, 4.3).
_config_refusals(kind, document, before, after) := found if {
	found := configs.change_errors(kind, document.request.configs) | configs.too_long(before, after)
	found != set()
} else := {errors.new("INVALID_REQUEST", _unnamed[kind])} if {
	document.request.resource.name == ""
} else := found if {
	found := {errors.new(_unknown[kind].error, $"{_unknown[kind].message}: {name}") |
		some name, _ in after
		not data.catalog[kind].configs[name]
	}
	found != set()
} else := found if {
	found := configs.invalid(kind, after) | _unreadable(kind, after)
	found != set()
} else := _out_of_bounds(kind, document, after)

_unnamed := {
	"group": "Default group resources are not allowed.",
	"clientMetrics": "Subscription name can't be empty",
}

_unknown := {
	"group": {"error": "INVALID_CONFIG", "message": "Unknown group config name"},
	"clientMetrics": {"error": "INVALID_REQUEST", "message": "Unknown client metrics configuration"},
}

_unreadable("clientMetrics", _) := set()

_unreadable("group", after) := {errors.new("INVALID_CONFIG", message) |
	name := "share.auto.offset.reset"
	value := configs.typed("group", name, after[name])
	not value in {"earliest", "latest"}
	not _is_by_duration(value)
	message := concat("", [
		$"Invalid value {value} for configuration {name}: Invalid value `{value}` for configuration {name}. ",
		"The value must be either 'earliest', 'latest' or of the format 'by_duration:<PnDTnHnMn.nS>'.",
	])
}

_out_of_bounds("group", document, after) := _beyond_brokers(document, after) | _too_short(document, after)

_out_of_bounds("clientMetrics", _, after) := _interval_refusals(after) | _match_refusals(after)
