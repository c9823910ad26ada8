package kafka.resources

import data.kafka.cluster
import data.kafka.configs
import data.kafka.errors

# METADATA
# description: A group's value beyond what the brokers' own keys allow (org.apache.kafka.coordinator.group.GroupConfig).
_beyond_brokers(document, after) := {errors.new("INVALID_CONFIG", message) |
	some name, value in configs.values("group", after)
	some side, bound in data.catalog.group.configs[name].bounds
	limit := _limit(document, side, bound)
	{"min": max([value, limit]), "max": min([value, limit])}[side] != value
	message := $"{name} must be {_words[side]} than or equal to {bound}"
}

_words := {"min": "greater", "max": "less"}

# A session that ends before its heartbeat: what is not set is as the brokers have it.
_too_short(document, after) := {errors.new("INVALID_CONFIG", message) |
	some name, row in data.catalog.group.configs
	{name, row.above} & object.keys(after) != set()
	_in_force(document, after, name) <= _in_force(document, after, row.above)
	message := $"{name} must be greater than {row.above}"
}

_in_force(_, after, name) := configs.typed("group", name, after[name])

_in_force(document, after, name) := _limit(document, "max", data.catalog.group.configs[name].broker) if {
	not name in object.keys(after)
}

# What controllers have in their files is read as brokers' configs; where these differ, the widest.
_limit(document, side, key) := {"min": min(values), "max": max(values)}[side] if {
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
	parts := [_number(days) * 86400, _number(hours) * 3600, _number(minutes) * 60, _number(seconds)]
	total := sum(parts) + ({true: -1, false: 1}[startswith(seconds, "-")] * to_number($"0.{fraction}0"))
	sign_of_all := {"-": -1, "+": 1, "": 1}[sign]
	total * sign_of_all >= 0
	abs(total) <= 9223372036854775807
}

_number("") := 0

_number(text) := configs.int64(text) if text != ""
