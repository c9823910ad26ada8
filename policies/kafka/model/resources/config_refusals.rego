package kafka.model.resources

import data.kafka.base.errors
import data.kafka.configs
import data.kafka.model.learnt

# METADATA
# description: |
#   What Kafka refuses of a change of a group's or a subscription's configs, each only where nothing before it is wrong:
#   operations, length, the resource's name, the names of keys, what cannot be read, and what is out of bounds
#   (kafka.server.ControllerConfigurationValidator, 4.4).
_config_refusals(kind, document, before, after) := found if {
	_is_unsupported_kind(kind)
	unread := {error |
		some error in configs.change_errors(kind, document.request.configs, set())
		error.name == _invalid_request
	}
	found := {true: {errors.new(_invalid_request, "Unknown resource type 32")}, false: unread}[unread == set()]
} else := found if {
	found := configs.change_errors(kind, document.request.configs, set()) | configs.too_long(before, after)
	found != set()
} else := {errors.new("INVALID_REQUEST", _empty_name_message_by_kind[kind])} if {
	document.request.resource.name == ""
} else := found if {
	found := {errors.new(_unknown_name_refusals[kind].error, $"{_unknown_name_refusals[kind].message}: {name}") |
		learnt.is_complete(document, kind)
		some name, _ in learnt.unlisted(document, kind, before, after)
	}
	found != set()
} else := found if {
	found := _duplicate_item_errors(kind, configs.explicit(kind, before, document.request.configs))
	found != set()
} else := found if {
	touched := configs.explicit(kind, before, document.request.configs)
	found := union({
		configs.invalid(kind, touched),
		_offset_reset_errors(kind, touched),
		_learnt_config_type_errors(kind, document, before, after),
	})
	found != set()
} else := _final_validation_errors(kind, document, after, configs.explicit(kind, before, document.request.configs))

# A release before 4.0 has no groups with configs.
_is_unsupported_kind("group") if count(data.catalog.group.types) == 0

_invalid_request := "INVALID_REQUEST"

_empty_name_message_by_kind := {
	"group": "Default group resources are not allowed.",
	"clientMetrics": "Subscription name can't be empty",
}

_unknown_name_refusals := {
	"group": {"error": "INVALID_CONFIG", "message": "Unknown group config name"},
	"clientMetrics": {"error": "INVALID_REQUEST", "message": "Unknown client metrics configuration"},
}

_learnt_config_type_errors(kind, document, before, after) := {errors.new("INVALID_CONFIG", message) |
	some message in learnt.faults(document, kind, before, after)
}

_duplicate_item_errors("clientMetrics", _) := set()

_duplicate_item_errors("group", touched) := _duplicate_tag_errors(touched)

_offset_reset_errors("clientMetrics", _) := set()

_offset_reset_errors("group", touched) := {errors.new("INVALID_CONFIG", message) |
	name := "share.auto.offset.reset"
	value := configs.typed("group", name, touched[name])
	not value in {"earliest", "latest"}
	not _is_by_duration(value)
	message := concat("", [
		$"Invalid value {value} for configuration {name}: Invalid value `{value}` for configuration {name}. ",
		"The value must be either 'earliest', 'latest' or of the format 'by_duration:<PnDTnHnMn.nS>'.",
	])
}

# Of what the change names; of two that are compared, where it names one.
_final_validation_errors("group", document, after, touched) := union({
	_broker_limit_errors(document, touched),
	_session_timeout_errors(document, after, touched),
	_unregistered_assignor_errors(document, touched),
	own_topic(touched),
})

_final_validation_errors("clientMetrics", _, _, touched) := _interval_errors(touched) | _match_pattern_errors(touched)
