package kafka.model.topics_test

import data.kafka.fixtures_test as fixtures

test_creation_by_metadata[note] if {
	none := {"code": 3, "name": "UNKNOWN_TOPIC_OR_PARTITION", "message": "This server does not host this topic-partition."}
	some note, tc in {
		"the broker creates none": {"key": "Metadata", "broker": "1", "set": "false", "error": none},
		"as it reads its file": {"key": "Metadata", "broker": "1", "set": " FALSE ", "error": none},
		"it creates them": {"key": "Metadata", "broker": "1", "set": "true", "error": null},
		"another broker": {"key": "Metadata", "broker": "2", "set": "false", "error": null},
		"a request to create": {"key": "CreateTopics", "broker": "1", "set": "false", "error": null},
	}
	brokers := {"1": {"configs": {"auto.create.topics.enable": tc.set}}, "2": {"configs": {}}, "3": {"configs": {}}}
	document := fixtures.document({
		"api": {"key": tc.key, "version": 9},
		"brokerId": tc.broker,
		"clusterState": object.union(fixtures.state, {"brokers": brokers}),
	})
	decision := fixtures.decide(document, {"rules": {}})
	[tc.error == null, tc.error] == [decision.allowed, decision.error]
}
