package kafka.client_configs

import data.kafka.configs

# METADATA
# description: |
#   Why none of the usable dynamic configs goes over the static ones of a producer or consumer; undefined where nothing
#   speaks against it. In the words and the order of ProducerConfig, ConsumerConfig and Heartbeat (Kafka 4.3).
contradiction(kind, static, usable) := $"the client's own configs are refused: {problem}" if {
	problem := _static_problem(kind, static)
} else := _dynamic_contradiction(kind, static, usable)

_static_problem(kind, static) := problems[0] if {
	problems := [problem |
		some key, row in data.catalog.clients.static[kind]
		problem := configs.fault_of(row, key, static[key])
	]
} else := _static_contradiction(kind, static)

# A consumer's two keys are weighed together with the dynamic ones, which may mend them.
_static_contradiction("producer", static) := _producer_problem(static)

_dynamic_contradiction("producer", static, usable) := _producer_problem(object.union(static, usable))

_dynamic_contradiction("consumer", static, usable) := $"{named} cannot be set when group.protocol=CONSUMER" if {
	lower(_typed_value_or_default("consumer", static, "group.protocol")) == "consumer"
	named := concat(", ", sort(object.keys(usable)))
} else := "Heartbeat must be set lower than the session timeout" if {
	merged := object.union(static, usable)
	heartbeat := _typed_value_or_default("consumer", merged, "heartbeat.interval.ms")
	heartbeat >= _typed_value_or_default("consumer", merged, "session.timeout.ms")
}

_producer_problem(merged) := "Must set retries to non-zero when using the idempotent producer." if {
	_idempotence_state(merged) == "demanded"
	_typed_value_or_default("producer", merged, "retries") == 0
} else := message if {
	_idempotence_state(merged) == "demanded"
	not _has_acks_all(merged)
	message := concat(" ", [
		"Must set acks to all in order to use the idempotent producer.",
		"Otherwise we cannot guarantee idempotence.",
	])
} else := message if {
	_idempotence_state(merged) != "off"
	in_flight := _typed_value_or_default("producer", merged, "max.in.flight.requests.per.connection")
	in_flight > data.catalog.clients.maxInFlightForIdempotence
	message := concat("", [
		"To use the idempotent producer, max.in.flight.requests.per.connection must be set to at most ",
		$"{data.catalog.clients.maxInFlightForIdempotence}. Current value is {in_flight}.",
	])
} else := "Cannot set a transactional.id without also enabling idempotence." if {
	is_string(merged["transactional.id"])
	not _is_idempotent(merged)
}

# Whether idempotence is enabled explicitly, is on by default, or is off.
_idempotence_state(merged) := "off" if {
	_typed_value_or_default("producer", merged, "enable.idempotence") == false
} else := "demanded" if {
	merged["enable.idempotence"]
} else := "default"

_is_idempotent(merged) if {
	_idempotence_state(merged) != "off"
	_has_acks_all(merged)
	_typed_value_or_default("producer", merged, "retries") != 0
}

_has_acks_all(merged) if trim_space(_typed_value_or_default("producer", merged, "acks")) in {"all", "-1"}
