package kafka.model.resources

import data.kafka.base.errors
import data.kafka.cluster
import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   A group's value beyond what the brokers' own keys allow, in the words of
#   org.apache.kafka.coordinator.group.GroupConfig, 4.4.
_broker_limit_errors(document, touched) := {errors.new("INVALID_CONFIG", message) |
	some name, value in configs.values("group", touched)
	limits := {side: _broker_limit(document, side, key) | some side, key in data.catalog.group.configs[name].bounds}
	[max([object.get(limits, "min", value), value]), min([object.get(limits, "max", value), value])] != [value, value]
	not "beside" in object.keys(data.catalog.group)
	allowed := _range_text(limits)
	message := $"{name} must be {allowed}"
} | {errors.new("INVALID_CONFIG", message) |
	"beside" in object.keys(data.catalog.group) # an older release says which key of the brokers it is
	some name, value in configs.values("group", touched)
	some side, key in data.catalog.group.configs[name].bounds
	limit := _broker_limit(document, side, key)
	{"min": min([limit, value]), "max": max([limit, value])}[side] != limit
	message := $"{name} must be {_comparison_by_side[side]} than or equal to {key}"
}

_comparison_by_side := {"min": "greater", "max": "less"}

_range_text({"min": least, "max": most}) := $"in the range {least} to {most} inclusive."

_range_text({"min": least}) := $"greater than or equal to {least}"

_range_text({"max": most}) := $"less than or equal to {most}"

# A session that ends before its heartbeat: what is not set is as the brokers have it.
_session_timeout_errors(document, after, touched) := {errors.new("INVALID_CONFIG", message) |
	some name
	above := data.catalog.group.configs[name].above
	{name, above} & object.keys(touched) != set()
	_value_in_force(document, after, name) <= _value_in_force(document, after, above)
	message := $"{name} must be greater than {above}"
}

_value_in_force(_, after, name) := configs.typed("group", name, after[name])

_value_in_force(document, after, name) := _broker_limit(document, "max", data.catalog.group.configs[name].broker) if {
	not name in object.keys(after)
}

# Tags are compared before they are read as a list, so that empty ones count too.
_duplicate_tag_errors(after) := {errors.new("INVALID_CONFIG", $"{name} must not contain duplicate tag keys.") |
	name := "streams.rack.aware.assignment.tags"
	lists.has_duplicates(lists.split_text(after[name]))
}

# What a class of assignors calls itself only brokers know: names are known where all are Kafka's own.
_unregistered_assignor_errors(document, after) := {errors.new("INVALID_CONFIG", message) |
	name := "streams.assignor.name"
	value := configs.typed("group", name, after[name])
	registered := _registered_streams_assignors(document)
	every assignor in registered { assignor in data.catalog.startup.streamsAssignors }
	not value in registered
	known := concat(", ", sort(registered))
	message := $"{name} '{value}' is not a registered task assignor. Registered assignors are: [{known}]."
}

_registered_streams_assignors(document) := assignors if {
	assignors := {assignor |
		some broker in cluster.part(document, "brokers")
		some assignor in configs.typed("broker", "group.streams.assignors", broker.configs["group.streams.assignors"])
	}
	assignors != set()
} else := {assignor | some assignor in data.catalog.broker.defaults.values["group.streams.assignors"]}

# METADATA
# description: What Kafka refuses of the name of a topic for rejected records.
own_topic(after) := {errors.new("INVALID_CONFIG", message) |
	name := "errors.deadletterqueue.topic.name"
	startswith(configs.typed("group", name, after[name]), "__")
	message := $"{name}: DLQ topic name must not start with '__'"
}

# What controllers have in their files is read as brokers' configs; where these differ, the widest.
_broker_limit(document, side, key) := {"min": min(values), "max": max(values)}[side] if {
	values := {value |
		some broker in cluster.part(document, "brokers")
		value := configs.typed("broker", key, broker.configs[key])
	}
	values != set()
} else := data.catalog.broker.defaults.values[key]

# java.time.Duration.parse, and not below zero.
_is_by_duration(value) if {
	startswith(value, "by_duration:")
	number := `[-+]?[0-9]+`
	pattern := concat("", [
		$`^(?i)([-+]?)P(?:({number})D)?`,
		$`(T(?:({number})H)?(?:({number})M)?(?:({number})(?:[.,]([0-9]\{0,9}))?S)?)?$`,
	])
	text := trim_prefix(value, "by_duration:")
	[[_, sign, days, times, hours, minutes, seconds, fraction]] := regex.find_all_string_submatch_n(pattern, text, 1)
	not upper(times) == "T"
	concat("", [days, times]) != ""
	parts := [_int_or_zero(days) * 86400, _int_or_zero(hours) * 3600, _int_or_zero(minutes) * 60, _int_or_zero(seconds)]
	total := sum(parts) + ({true: -1, false: 1}[startswith(seconds, "-")] * to_number($"0.{fraction}0"))
	sign_of_all := {"-": -1, "+": 1, "": 1}[sign]
	total * sign_of_all >= 0
	abs(total) <= 9223372036854775807
}

_int_or_zero("") := 0

_int_or_zero(text) := configs.int64(text) if text != ""
