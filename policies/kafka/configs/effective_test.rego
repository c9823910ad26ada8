package kafka.configs_test

import data.kafka.configs

_kafka_values := data.catalog.topic.defaults.values

test_effective[note] if {
	some note, tc in {
		"Kafka's own": {"defaults": {}, "overrides": {}, "over": {}},
		"the cluster's over Kafka's": {"defaults": {"retention.ms": "5"}, "overrides": {}, "over": {"retention.ms": 5}},
		"the override over the cluster's": {
			"defaults": {"retention.ms": "5", "segment.ms": "6"},
			"overrides": {"retention.ms": "7"},
			"over": {"retention.ms": 7, "segment.ms": 6},
		},
		"a cluster's default that Kafka has too": {"defaults": {"retention.ms": "604800000"}, "overrides": {}, "over": {}},
		"settings of the broker are no topic's": {"defaults": {"num.partitions": "5"}, "overrides": {}, "over": {}},
		"a vendor's override": {"defaults": {}, "overrides": {"vendor": "x"}, "over": {"vendor": "x"}},
		"lists are replaced, not joined": {
			"defaults": {"cleanup.policy": "compact,delete"},
			"overrides": {"cleanup.policy": "compact"},
			"over": {"cleanup.policy": ["compact"]},
		},
	}
	carried := {"cluster": "c", "clusterState": {"defaults": tc.defaults}}
	expected := object.union(_kafka_values, tc.over)
	replicated := configs.effective("topic", {"cluster": "c"}, tc.overrides) with data.clusters.c.defaults as tc.defaults
	[expected, expected] == [configs.effective("topic", carried, tc.overrides), replicated]
}

test_effective_without_defaults[note] if {
	some note, document in {
		"carried state without them": {"cluster": "c", "clusterState": {}},
		"unknown cluster": {"cluster": "c"},
	}
	object.union(_kafka_values, {"retention.ms": 5}) == configs.effective("topic", document, {"retention.ms": "5"})
}
