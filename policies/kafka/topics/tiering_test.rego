package kafka.topics_test

import data.kafka.fixtures_test as fixtures
import data.kafka.topics

_no_tiers := {_error(40, "INVALID_CONFIG", concat("", [
	"Tiered Storage functionality is disabled in the broker. ",
	"Topic cannot be configured with remote log storage.",
]))}

_broker(told) := {"host": "b", "configs": {"remote.log.storage.system.enable": told}}

_with_brokers(brokers, document) := object.union(document, {"clusterState": {"brokers": brokers}})

test_tiering[note] if {
	some note, tc in {
		"turned off": {"brokers": {"1": _broker("false"), "2": _broker("false")}, "text": "true", "refused": _no_tiers},
		"in capitals": {"brokers": {"1": _broker("false")}, "text": " TRUE ", "refused": _no_tiers},
		"with a default for all": {
			"brokers": {"": {"configs": {}}, "1": _broker("false")},
			"text": "true",
			"refused": _no_tiers,
		},
		"not asked for": {"brokers": {"1": _broker("false")}, "text": "false", "refused": set()},
		"turned on": {"brokers": {"1": _broker("true")}, "text": "true", "refused": set()},
		"turned on in one": {
			"brokers": {"1": _broker("false"), "2": _broker("true")},
			"text": "true",
			"refused": set(),
		},
		"not told by one": {
			"brokers": {"1": _broker("false"), "2": {"host": "b", "configs": {}}},
			"text": "true",
			"refused": set(),
		},
		"no brokers known": {"brokers": {}, "text": "true", "refused": set()},
	}
	created := _with_brokers(tc.brokers, _create({"replicationFactor": 1, "configs": {"remote.storage.enable": tc.text}}))
	altered := _with_brokers(tc.brokers, _alter({"configs": _change_of("remote.storage.enable", "SET", tc.text)}))
	{tc.refused} == {topics.refusals("CreateTopic", created), topics.refusals("AlterTopic", altered)}
}

# Kafka looks at all that a topic has, whatever is altered of it.
test_tiering_that_is_there_already if {
	tiered := object.union(fixtures.topic, {"configs": {"remote.storage.enable": "true"}})
	document := _alter_from(tiered, {"configs": _change_of("segment.ms", "SET", "5")})
	topics.refusals("AlterTopic", _with_brokers({"1": _broker("false")}, document)) == _no_tiers
}
