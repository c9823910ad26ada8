package kafka.client_configs_test

import data.kafka.client_configs

_accepted(kind, static, dynamic) := result if {
	result := client_configs.accepted with input as {"kind": kind, "static": static, "dynamic": dynamic}
}

_idempotence := "acks=%s turns idempotence off: it is on by default only, nothing demands it, and it needs acks=all"

_acks_all := "Must set acks to all in order to use the idempotent producer. Otherwise we cannot guarantee idempotence."

_no_idempotence := "Cannot set a transactional.id without also enabling idempotence."

test_accepted_by_a_producer[note] if {
	some note, tc in {
		"nothing": {"static": {}, "dynamic": {}, "taken": {}, "ignored": {}},
		"acks as they are by default": {"static": {}, "dynamic": {"acks": " all "}, "taken": {"acks": "-1"}, "ignored": {}},
		"over a static value": {
			"static": {"acks": "1", "linger.ms": "5"},
			"dynamic": {"acks": "0"},
			"taken": {"acks": "0"},
			"ignored": {},
		},
		"idempotence demanded": {
			"static": {"enable.idempotence": " TRUE "},
			"dynamic": {"acks": "1"},
			"taken": {},
			"ignored": {"acks": _acks_all},
		},
		"idempotence demanded and kept": {
			"static": {"enable.idempotence": "true"},
			"dynamic": {"acks": "-1"},
			"taken": {"acks": "-1"},
			"ignored": {},
		},
		"idempotence declined": {
			"static": {"enable.idempotence": "false"},
			"dynamic": {"acks": "0"},
			"taken": {"acks": "0"},
			"ignored": {},
		},
		"a transaction": {
			"static": {"transactional.id": "t"},
			"dynamic": {"acks": "1"},
			"taken": {},
			"ignored": {"acks": _no_idempotence},
		},
		"a transaction with all": {
			"static": {"transactional.id": "t"},
			"dynamic": {"acks": "all"},
			"taken": {"acks": "-1"},
			"ignored": {},
		},
		"a transaction without retries": {
			"static": {"transactional.id": "t", "retries": "0"},
			"dynamic": {"acks": "all"},
			"taken": {},
			"ignored": {"acks": $"the client's own configs are refused: {_no_idempotence}"},
		},
		"a transaction without idempotence": {
			"static": {"transactional.id": "t", "enable.idempotence": "false"},
			"dynamic": {"acks": "all"},
			"taken": {},
			"ignored": {"acks": $"the client's own configs are refused: {_no_idempotence}"},
		},
		"much in flight without idempotence": {
			"static": {"max.in.flight.requests.per.connection": "6", "enable.idempotence": "false"},
			"dynamic": {"acks": "1"},
			"taken": {"acks": "1"},
			"ignored": {},
		},
		"no retries, so no idempotence": {
			"static": {"retries": "0"},
			"dynamic": {"acks": "1"},
			"taken": {"acks": "1"},
			"ignored": {},
		},
		"a static value that Kafka refuses": {
			"static": {"acks": "2"},
			"dynamic": {"acks": "1"},
			"taken": {},
			"ignored": {"acks": concat(" ", [
				"the client's own configs are refused: Invalid value 2 for configuration acks:",
				"String must be one of: all, -1, 0, 1",
			])},
		},
		"static configs that contradict each other": {
			"static": {"enable.idempotence": "true", "retries": "0"},
			"dynamic": {"acks": "-1"},
			"taken": {},
			"ignored": {"acks": concat(" ", [
				"the client's own configs are refused:",
				"Must set retries to non-zero when using the idempotent producer.",
			])},
		},
		"too much in flight": {
			"static": {"max.in.flight.requests.per.connection": "6"},
			"dynamic": {"acks": "1"},
			"taken": {},
			"ignored": {"acks": concat(" ", [
				"the client's own configs are refused: To use the idempotent producer,",
				"max.in.flight.requests.per.connection must be set to at most 5. Current value is 6.",
			])},
		},
		"as much in flight as may be": {
			"static": {"max.in.flight.requests.per.connection": "5", "acks": "1"},
			"dynamic": {"acks": "0"},
			"taken": {"acks": "0"},
			"ignored": {},
		},
		"what is not a producer's": {
			"static": {},
			"dynamic": {"acks": "3", "session.timeout.ms": "9000", "producer_byte_rate": "1", "x": "1"},
			"taken": {},
			"ignored": {
				"acks": "Invalid value 3 for configuration acks: String must be one of: all, -1, 0, 1",
				"session.timeout.ms": "session.timeout.ms is not a config of a producer",
				"producer_byte_rate": "producer_byte_rate is a quota, not a client config: alter it as a client quota",
				"x": "Unknown client config x: use one of acks, heartbeat.interval.ms, session.timeout.ms",
			},
		},
	}
	_accepted("producer", tc.static, tc.dynamic) == {
		"configs": object.union(tc.static, tc.taken),
		"accepted": tc.taken,
		"ignored": tc.ignored,
	}
}

test_idempotence_that_goes_is_said[note] if {
	some note, tc in {
		"by default": {"static": {}, "acks": "0"},
		"all, in so many words": {"static": {"acks": "all"}, "acks": "1"},
		"-1": {"static": {"acks": "-1", "retries": "1"}, "acks": "1"},
	}
	_accepted("producer", tc.static, {"acks": tc.acks}) == {
		"configs": object.union(tc.static, {"acks": tc.acks, "enable.idempotence": "false"}),
		"accepted": {"acks": tc.acks},
		"ignored": {},
		"notes": {"enable.idempotence": sprintf(_idempotence, [tc.acks])},
	}
}

_too_late := "Heartbeat must be set lower than the session timeout"

test_accepted_by_a_consumer[note] if {
	some note, tc in {
		"both": {"static": {}, "dynamic": {"session.timeout.ms": "11000", "heartbeat.interval.ms": "2000"}, "ignored": {}},
		"one below": {
			"static": {},
			"dynamic": {"session.timeout.ms": "6001", "heartbeat.interval.ms": "6000"},
			"ignored": {},
		},
		"equal: both are discarded": {
			"static": {},
			"dynamic": {"session.timeout.ms": "6000", "heartbeat.interval.ms": "6000"},
			"ignored": {"session.timeout.ms": _too_late, "heartbeat.interval.ms": _too_late},
		},
		"heartbeat against Kafka's own session": {
			"static": {},
			"dynamic": {"heartbeat.interval.ms": "45000"},
			"ignored": {"heartbeat.interval.ms": _too_late},
		},
		"session against a static heartbeat": {
			"static": {"heartbeat.interval.ms": "7000", "session.timeout.ms": "20000"},
			"dynamic": {"session.timeout.ms": "7000"},
			"ignored": {"session.timeout.ms": _too_late},
		},
		"what is given mends what is not": {
			"static": {"heartbeat.interval.ms": "7000", "session.timeout.ms": "7000"},
			"dynamic": {"session.timeout.ms": "7001"},
			"ignored": {},
		},
		"classic, spelt otherwise": {
			"static": {"group.protocol": "Classic"},
			"dynamic": {"session.timeout.ms": "7001"},
			"ignored": {},
		},
		"the consumer protocol takes neither": {
			"static": {"group.protocol": "Consumer"},
			"dynamic": {"session.timeout.ms": "7001"},
			"ignored": {"session.timeout.ms": "session.timeout.ms cannot be set when group.protocol=CONSUMER"},
		},
		"a static value that is not a number": {
			"static": {"session.timeout.ms": "7s"},
			"dynamic": {"heartbeat.interval.ms": "1"},
			"ignored": {"heartbeat.interval.ms": concat(" ", [
				"the client's own configs are refused: Invalid value 7s for configuration session.timeout.ms:",
				"Not a number of type INT",
			])},
		},
		"acks": {"static": {}, "dynamic": {"acks": "1"}, "ignored": {"acks": "acks is not a config of a consumer"}},
	}
	taken := object.remove(tc.dynamic, object.keys(tc.ignored))
	_accepted("consumer", tc.static, tc.dynamic) == {
		"configs": object.union(tc.static, taken),
		"accepted": taken,
		"ignored": tc.ignored,
	}
}

test_what_cannot_be_weighed[note] if {
	some note, tc in {
		"a string": {"document": "producer", "errors": ["the input is not a JSON object: send kind, static and dynamic"]},
		"no kind": {"document": {}, "errors": ["kind: null is not producer or consumer"]},
		"another kind": {"document": {"kind": "Producer"}, "errors": ["kind: \"Producer\" is not producer or consumer"]},
		"a number": {
			"document": {"kind": "producer", "static": {"acks": 1}},
			"errors": ["static.acks: 1 is not a string"],
		},
		"null": {
			"document": {"kind": "producer", "dynamic": {"acks": null}},
			"errors": ["dynamic.acks: null is not a string"],
		},
		"a list": {
			"document": {"kind": "consumer", "static": [], "dynamic": null},
			"errors": ["dynamic: not an object of config names to strings", "static: not an object of config names to strings"],
		},
		"unknown field": {
			"document": {"kind": "consumer", "statics": {}},
			"errors": ["statics: unknown field: use kind, static and dynamic"],
		},
	}
	result := client_configs.accepted with input as tc.document
	result == {"configs": {}, "accepted": {}, "ignored": {}, "errors": tc.errors}
}

test_accepted_names_the_revision if {
	plain := _accepted("producer", {}, {"acks": "1"})
	named := _accepted("producer", {}, {"acks": "1"}) with data.catalog.bundle.revision as "abc123"
	named == object.union(plain, {"revision": "abc123"})
	not "revision" in object.keys(plain)
}
