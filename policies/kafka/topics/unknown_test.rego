package kafka.topics_test

import data.kafka.topics

_strange(state, names) := {
	"operation": "CreateTopic",
	"cluster": "c",
	"request": {"topic": "t", "configs": {name: "1" | some name in names}},
	"clusterState": state,
}

test_unknown_names[note] if {
	some note, tc in {
		"a typo": {"state": {}, "names": ["retentoin.ms", "retention.ms"], "refused": {"retentoin.ms"}},
		"what Kafka has removed": {"state": {}, "names": ["message.format.version"], "refused": {"message.format.version"}},
		"a vendor's name": {"state": {}, "names": ["write.caching"], "refused": set()},
		"a vendor's prefix": {"state": {}, "names": ["confluent.x"], "refused": set()},
		"a name of a vendor that is not named": {"state": {}, "names": ["automq.x"], "refused": {"automq.x"}},
		"of a managed cluster": {"state": {"managed": {}}, "names": ["automq.x", "retentoin.ms"], "refused": set()},
		"none": {"state": {}, "names": [], "refused": set()},
	}
	document := _strange(tc.state, tc.names)
	refused := topics._unknown_names(document, document.request.configs) with data.kafka.settings.params as _named
	{refusal.message | some refusal in refused} == {$"Unknown topic config name: {name}" | some name in tc.refused}
}

_named(_, _) := {"KFK-MSG-006": {"vendors": ["confluent", "redpanda"]}}
