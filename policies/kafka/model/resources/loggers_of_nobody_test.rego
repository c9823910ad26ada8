package kafka.model.resources_test

import data.kafka.model.resources

test_loggers_of_no_broker[note] if {
	unknown := {{"code": 42, "name": "INVALID_REQUEST", "message": "Broker '2' is not known in cluster 'c'."}}
	some note, tc in {
		"its own": {"name": "1", "brokers": {"1": {}}, "refused": set()},
		"of none": {"name": "2", "brokers": {"": {}, "1": {}}, "refused": unknown},
		"no brokers known": {"name": "2", "brokers": {}, "refused": set()},
		"only the default of all": {"name": "2", "brokers": {"": {}}, "refused": set()},
		"in another spelling": {"name": "+1", "brokers": {"1": {}}, "refused": set()},
	}
	tc.refused == resources.refusals({
		"operation": "AlterConfig",
		"cluster": "c",
		"request": {
			"resource": {"type": "broker-logger", "name": tc.name},
			"configs": {"mode": "incremental", "ops": [{"name": "kafka", "op": "SET", "value": "INFO"}]},
		},
		"clusterState": {"brokers": tc.brokers},
	})
}
