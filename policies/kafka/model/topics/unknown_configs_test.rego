package kafka.model.topics_test

import data.kafka.model.topics

_strange(state) := {"operation": "AlterTopic", "cluster": "c", "request": {"topic": "t"}, "clusterState": state}

_covered := {"catalog": {"release": data.catalog.topic.kafka}}

_newer := {"catalog": {"release": "9.0"}}

test_unknown_names[note] if {
	some note, tc in {
		"a typo": {"state": _covered, "names": ["retentoin.ms", "retention.ms"], "refused": {"retentoin.ms"}},
		"what a newer cluster may have": {"state": _newer, "names": ["retentoin.ms"], "refused": set()},
		"what a cluster of no known release may have": {"state": {}, "names": ["retentoin.ms"], "refused": set()},
		"what Kafka has removed": {"state": {}, "names": ["message.format.version"], "refused": {"message.format.version"}},
		"what the cluster's Kafka has": {
			"state": {"catalog": {"release": "3.9"}},
			"names": ["message.format.version", "retentoin.ms"],
			"refused": {"retentoin.ms"},
		},
		"a vendor's name": {"state": _covered, "names": ["write.caching"], "refused": set()},
		"a vendor's prefix": {"state": _covered, "names": ["confluent.x"], "refused": set()},
		"a name of a vendor that is not named": {"state": _covered, "names": ["automq.x"], "refused": {"automq.x"}},
		"of a managed cluster": {
			"state": object.union(_covered, {"managed": {}}),
			"names": ["automq.x", "retentoin.ms", "message.format.version"],
			"refused": set(),
		},
		"none": {"state": _covered, "names": [], "refused": set()},
	}
	after := {name: "1" | some name in tc.names}
	refused := topics._unknown_name_errors(_strange(tc.state), {}, after) with data.kafka.base.settings.params as _vendors
	{refusal.message | some refusal in refused} == {$"Unknown topic config name: {name}" | some name in tc.refused}
}

_vendors(_, _) := {"KFK-CFG-002": {"vendors": ["confluent", "redpanda"]}}

# Only what a change sets can be refused for its name.
test_what_stands_there_refuses_nothing[note] if {
	some note, tc in {
		"left alone": {"after": {"x": "1", "retention.ms": "1"}, "refused": set()},
		"removed": {"after": {"retention.ms": "1"}, "refused": set()},
		"set to something else": {"after": {"x": "2"}, "refused": {"Unknown topic config name: x"}},
		"another beside it": {"after": {"x": "1", "y": "1"}, "refused": {"Unknown topic config name: y"}},
	}
	refused := topics._unknown_name_errors(_strange(_covered), {"x": "1"}, tc.after)
	tc.refused == {refusal.message | some refusal in refused}
}
