package kafka.client_configs

# METADATA
# description: |
#   Why none of the usable dynamic configs goes over the static ones of a producer or consumer; undefined where nothing
#   speaks against it. In the words and the order of ProducerConfig, ConsumerConfig and Heartbeat (Kafka 4.3).
contradiction(kind, static, usable) := $"the client's own configs are refused: {problem}" if {
	problem := _static_problem(kind, static)
} else := _dynamic_contradiction(kind, static, usable)

_static_problem(kind, static) := problems[0] if {
	problems := [$"Invalid value {text} for configuration {key}: {problem}" |
		some key, row in data.catalog.clients.static[kind]
		text := static[key]
		problem := _typed_value_problem(row, _typed_value_or_null(row.type, text))
	]
} else := _static_contradiction(kind, static)

# A consumer's two keys are weighed together with the dynamic ones, which may mend them.
_static_contradiction("producer", static) := _producer_problem(static)

_dynamic_contradiction("producer", static, usable) := _producer_problem(object.union(static, usable))

_dynamic_contradiction("consumer", static, usable) := $"{named} cannot be set when group.protocol=CONSUMER" if {
	lower(_typed_value_or_default("consumer", static, "group.protocol")) == "consumer"
	named := concat(", ", sort(object.keys(usable)))
} else := "Heartbeat must be set lower than the session timeout" if {
	configs := object.union(static, usable)
	heartbeat := _typed_value_or_default("consumer", configs, "heartbeat.interval.ms")
	heartbeat >= _typed_value_or_default("consumer", configs, "session.timeout.ms")
}

_producer_problem(configs) := "Must set retries to non-zero when using the idempotent producer." if {
	_idempotence_state(configs) == "demanded"
	_typed_value_or_default("producer", configs, "retries") == 0
} else := message if {
	_idempotence_state(configs) == "demanded"
	not _has_acks_all(configs)
	message := concat(" ", [
		"Must set acks to all in order to use the idempotent producer.",
		"Otherwise we cannot guarantee idempotence.",
	])
} else := message if {
	_idempotence_state(configs) != "off"
	in_flight := _typed_value_or_default("producer", configs, "max.in.flight.requests.per.connection")
	in_flight > data.catalog.clients.maxInFlightForIdempotence
	message := concat("", [
		"To use the idempotent producer, max.in.flight.requests.per.connection must be set to at most ",
		$"{data.catalog.clients.maxInFlightForIdempotence}. Current value is {in_flight}.",
	])
} else := "Cannot set a transactional.id without also enabling idempotence." if {
	is_string(configs["transactional.id"])
	not _is_idempotent(configs)
}

# Whether idempotence is enabled explicitly, is on by default, or is off.
_idempotence_state(configs) := "off" if {
	_typed_value_or_default("producer", configs, "enable.idempotence") == false
} else := "demanded" if {
	configs["enable.idempotence"]
} else := "default"

_is_idempotent(configs) if {
	_idempotence_state(configs) != "off"
	_has_acks_all(configs)
	_typed_value_or_default("producer", configs, "retries") != 0
}

_has_acks_all(configs) if trim_space(_typed_value_or_default("producer", configs, "acks")) in {"all", "-1"}
