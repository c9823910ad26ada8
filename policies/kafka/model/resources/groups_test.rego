package kafka.model.resources_test

import data.kafka.model.resources

_range_error(name, least, most) := $"INVALID_CONFIG: {name} must be in the range {least} to {most} inclusive."

test_bounds[note] if {
	heartbeat := "consumer.heartbeat.interval.ms"
	session := "consumer.session.timeout.ms"
	some note, tc in {
		"the least": {"configs": {session: "45000"}, "refused": set()},
		"below it": {"configs": {session: "44999"}, "refused": {_range_error(session, 45000, 60000)}},
		"the most": {"configs": {session: "60000"}, "refused": set()},
		"above it": {"configs": {session: "60001"}, "refused": {_range_error(session, 45000, 60000)}},
		"no least": {
			"configs": {"streams.num.standby.replicas": "3"},
			"refused": {"INVALID_CONFIG: streams.num.standby.replicas must be less than or equal to 2"},
		},
		"no most": {
			"configs": {"streams.task.offset.interval.ms": "14999"},
			"refused": {"INVALID_CONFIG: streams.task.offset.interval.ms must be greater than or equal to 15000"},
		},
		"none at all": {"configs": {"streams.initial.rebalance.delay.ms": "0"}, "refused": set()},
		"beyond both, of a session too": {
			"configs": {heartbeat: "45000"},
			"refused": {
				_range_error(heartbeat, 5000, 15000),
				$"INVALID_CONFIG: {session} must be greater than {heartbeat}",
			},
		},
	}
	tc.refused == _alter_errors("group", "a", tc.configs)
}

test_bounds_of_brokers[note] if {
	brokers := {
		"": {"configs": {}},
		"1": {"configs": {"group.consumer.min.session.timeout.ms": "1000", "group.consumer.heartbeat.interval.ms": "9000"}},
		"2": {"configs": {"group.consumer.min.session.timeout.ms": "8000"}},
	}
	some note, tc in {
		"the widest": {"session": "9500", "refused": set()},
		"beyond it": {
			"session": "900",
			"refused": {
				"consumer.session.timeout.ms must be in the range 1000 to 60000 inclusive.",
				"consumer.session.timeout.ms must be greater than consumer.heartbeat.interval.ms",
			},
		},
		"no longer than their heartbeat": {
			"session": "9000",
			"refused": {"consumer.session.timeout.ms must be greater than consumer.heartbeat.interval.ms"},
		},
	}
	ops := [{"name": "consumer.session.timeout.ms", "op": "SET", "value": tc.session}]
	document := object.union(_document("group", "new", ops), {"clusterState": {"brokers": brokers}})
	tc.refused == {refusal.message | some refusal in resources.refusals(document)}
}

test_names_and_tags[note] if {
	assignor := "streams.assignor.name"
	tags := "streams.rack.aware.assignment.tags"
	letters := "errors.deadletterqueue.topic.name"
	some note, tc in {
		"Kafka's own assignor": {"configs": {assignor: "sticky"}, "refused": set()},
		"another": {
			"configs": {assignor: "x"},
			"refused": {$"{assignor} 'x' is not a registered task assignor. Registered assignors are: [sticky]."},
		},
		"one of the brokers'": {"configs": {assignor: "x"}, "assignors": "sticky,a.B", "refused": set()},
		"tags": {"configs": {tags: "zone,rack"}, "refused": set()},
		"no tags": {"configs": {tags: " "}, "refused": set()},
		"a tag twice": {"configs": {tags: "zone , zone"}, "refused": {$"{tags} must not contain duplicate tag keys."}},
		"a dead-letter topic": {"configs": {letters: "dlq.orders"}, "refused": set()},
		"an internal topic": {
			"configs": {letters: "__dlq"},
			"refused": {$"{letters}: DLQ topic name must not start with '__'"},
		},
	}
	brokers := {"1": {"configs": {"group.streams.assignors": text | text := tc.assignors}}}
	ops := [{"name": name, "op": "SET", "value": value} | some name, value in tc.configs]
	document := object.union(_document("group", "new", ops), {"clusterState": {"brokers": brokers}})
	tc.refused == {refusal.message | some refusal in resources.refusals(document)}
}

test_offset_reset[value] if {
	some value in [
		"latest", "earliest", " latest", "by_duration:PT1H", "by_duration:P1D", "by_duration:PT0S", "by_duration:pt1.5s",
		"by_duration:P1DT1H1M1.1S", "by_duration:P+1D", "by_duration:PT1H-30M", "by_duration:-PT-1S", "by_duration:PT1,5S",
	]
	set() == _alter_errors("group", "a", {"share.auto.offset.reset": value})
}

test_no_offset_reset[value] if {
	some value in [
		"", "LATEST", "none", "by_duration", "by_duration:", "by_duration:-PT1H", "by_duration:1h", "BY_DURATION:PT1H",
		"by_duration: PT1H", "by_duration:P", "by_duration:PT", "by_duration:P1Y", "by_duration:PT-0.5S",
		"by_duration:PT9223372036854775807S1H", "by_duration:P9223372036854775807D",
	]
	message := concat("", [
		$"INVALID_CONFIG: Invalid value {value} for configuration share.auto.offset.reset: Invalid value `{value}` ",
		"for configuration share.auto.offset.reset. The value must be either 'earliest', 'latest' or of the format ",
		"'by_duration:<PnDTnHnMn.nS>'.",
	])
	{message} == _alter_errors("group", "a", {"share.auto.offset.reset": value})
}
