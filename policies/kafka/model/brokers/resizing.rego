package kafka.model.brokers

import data.kafka.configs

# METADATA
# description: |
#   What a broker that runs refuses to become: pools that more than double or halve (DynamicThreadPool, LogCleaner), log
#   segments that stay longer than the log (DynamicLogConfig), and limits that let nobody in (SocketServer).
_config_transition_problems(before, after) := union({
	_thread_pool_problems(before, after),
	_cleaner_problems(_number_in_force(before, "log.cleaner.threads"), _number_in_force(after, "log.cleaner.threads")),
	_local_retention_problems(after),
	_remote_copy_lag_problems(after),
	_zero_connection_limit_problems(after),
	_protocol_change_problems(before, after),
	_missing_advertised_listener_problems(before, after),
	_fixed_listener_config_problems(before, after),
})

_thread_pool_problems(before, after) := {$"{_thread_update_error_prefix} {name}={now}, value should {problem}" |
	every_listener := {""} | _broker_listener_prefixes(after)
	listeners := {"num.network.threads": every_listener}
	some name in data.catalog.broker.pools
	some prefix in object.get(listeners, name, {""})
	was := _listener_value(before, prefix, name)
	now := _listener_value(after, prefix, name)
	problem := _thread_count_problem(was, now)
}

_thread_update_error_prefix := "Dynamic thread count update validation failed for"

# Where a release has no least number of its own, one is.
_thread_count_problem(was, now) := "be at least 1" if {
	now < 1
} else := $"be at least half the current value {was}" if {
	now < floor(was / 2)
} else := $"not be greater than double the current value {was}" if {
	now > was * 2
}

_cleaner_problems(was, now) := {$"Log cleaner threads cannot be reduced to less than half the current value {was}"} if {
	now < floor(was / 2)
} else := {$"Log cleaner threads cannot be increased to more than double the current value {was}"} if {
	now > was * 2
} else := set()

_local_retention_problems(texts) := {$"Invalid value {local} for configuration log.local.{name}: {problem}" |
	some name, limit in {
		"retention.ms": _retention_ms(texts),
		"retention.bytes": _written_number(texts, "log.retention.bytes"),
	}
	local := _written_number(texts, $"log.local.{name}")
	problem := _local_retention_problem(name, local, limit)
}

_local_retention_problem(name, -1, most) := $"Value must not be -1 as log.{name} value is set as {most}." if most > -1

_local_retention_problem(name, local, most) := $"Value must not be more than log.{name} property value: {most}" if {
	most > -1
	local > most
}

# From 4.4 on a segment is copied at the latest when local retention would delete it; -2 is the whole of what is kept.
_remote_copy_lag_problems(texts) := {concat("", [
	$"Invalid value {lag} for configuration log.remote.copy.lag.{unit}: ",
	$"Value must not exceed log.local.retention.{unit} (effective value: {kept})",
]) |
	some unit, whole in {"ms": _retention_ms(texts), "bytes": _written_number(texts, "log.retention.bytes")}
	name := $"log.remote.copy.lag.{unit}"
	data.catalog.broker.configs[name]
	lag := _written_number(texts, name)
	local := _written_number(texts, $"log.local.retention.{unit}")
	kept := object.get({-2: whole}, local, local)
	kept > -1
	lag > max([0, kept])
}

# The first of the three that is set, which count in this order; as written, since the greatest number is no -1 here.
_retention_ms(texts) := _written_number(texts, "log.retention.ms") if {
	texts["log.retention.ms"]
} else := _written_number(texts, "log.retention.minutes") * 60000 if {
	texts["log.retention.minutes"]
} else := _written_number(texts, "log.retention.hours") * 3600000

_zero_connection_limit_problems(texts) := {$"Invalid {name} 0" |
	prefixes := {""} | _broker_listener_prefixes(texts)
	some prefix in prefixes
	some name in ["max.connections", "max.connection.creation.rate"]
	_listener_value(texts, prefix, name) == 0
}

# METADATA
# description: What a broker refuses of the configs of listeners that it has, which it reads whatever they are.
_listener_config_problems(texts) := _prefixed_config_problems(texts, _broker_listener_prefixes(texts))

_prefixed_config_problems(texts, prefixes) := {message |
	some key, text in texts
	strings.any_prefix_match(key, prefixes)
	named := {configs.after_mechanism(configs.base_name(key)): text}
	some message in ({refusal.message | some refusal in configs.invalid("broker", named)} | _quorum_parse_problems(named))
}

_broker_listener_prefixes(texts) := {$"listener.name.{lower(name)}." |
	some name in (_listener_names(texts) - _controller_listener_names(texts))
}

_listener_value(texts, prefix, name) := configs.typed("broker", name, texts[concat("", [prefix, name])]) if {
	texts[concat("", [prefix, name])]
} else := _number_in_force(texts, name)

# A number in force, Kafka's default where none is set; undefined where there is none.
_number_in_force(texts, name) := configs.typed("broker", name, texts[name]) if {
	texts[name]
} else := data.catalog.broker.defaults.values[name]

# As it was written, whichever of its values mean no limit.
_written_number(texts, name) := configs.parsed("broker", name, texts[name]) if {
	texts[name]
} else := data.catalog.broker.defaults.values[name]
