package kafka.model.brokers_test

import data.kafka.model.brokers

test_known_values[broker] if {
	some broker, values in {"1": {"a": 1, "b": 2}, "": {"b": 2}}
	prepared := {"broker": broker, "effective": {"values": {"a": 1, "b": 2}}, "requested": {"values": {"b": 2}}}
	values == brokers.known_values(prepared)
}

test_patch[operation] if {
	some operation, patch in {
		"StartBroker": [{"op": "add", "path": "/configs/a.b", "value": "c"}],
		"AlterBroker": [],
		"AuditBroker": [],
	}
	patch == brokers.patch({"operation": operation}, "a.b", "c")
}
