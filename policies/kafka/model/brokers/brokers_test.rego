package kafka.model.brokers_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.brokers

_state := {
	"catalog": {"release": data.catalog.broker.kafka},
	"brokers": {
		"": {"configs": {"num.io.threads": "16", "log.retention.ms": "5"}},
		"1": {"host": "a", "configs": {"log.retention.ms": "7"}},
	},
	"meta": fixtures.state.meta,
}

_document(operation, request) := {
	"operation": operation,
	"cluster": "prod-eu",
	"now": fixtures.now,
	"request": request,
	"clusterState": _state,
}

_change(ops) := {"mode": "incremental", "ops": ops}

_set(name, value) := _change([{"name": name, "op": "SET", "value": value}])

_prepared(operation, request) := object.filter(
	brokers.prepared(_document(operation, request), {"now": 1, "params": {}}),
	["broker", "labels", "current", "requested", "change"],
)

test_start_has_nothing_before_it if {
	_prepared("StartBroker", {"broker": "1", "configs": {"num.io.threads": "4"}}) == {
		"broker": "1",
		"labels": {},
		"current": null,
		"requested": {
			"configs": {"num.io.threads": "4"},
			"values": {"num.io.threads": 4},
			"requestedConfigs": {"num.io.threads": "4"},
		},
		"change": {
			"before": {},
			"after": {"num.io.threads": "4"},
			"explicit": {"num.io.threads": "4"},
			"implicitlyDeleted": [],
			"errors": [],
		},
	}
}

test_alter if {
	_prepared("AlterBroker", {"broker": "1", "configs": _set("num.io.threads", "4")}) == {
		"broker": "1",
		"labels": {},
		"current": {"configs": {"log.retention.ms": "7"}, "values": {"log.retention.ms": 7}},
		"requested": {
			"configs": {"log.retention.ms": "7", "num.io.threads": "4"},
			"values": {"log.retention.ms": 7, "num.io.threads": 4},
			"requestedConfigs": {"num.io.threads": "4"},
		},
		"change": {
			"before": {"log.retention.ms": "7"},
			"after": {"log.retention.ms": "7", "num.io.threads": "4"},
			"explicit": {"num.io.threads": "4"},
			"implicitlyDeleted": [],
			"errors": [],
		},
	}
}

test_audit if {
	_prepared("AuditBroker", {"broker": "1"}) == {
		"broker": "1",
		"labels": {},
		"current": {"configs": {"log.retention.ms": "7"}, "values": {"log.retention.ms": 7}},
		"requested": {
			"configs": {"log.retention.ms": "7"},
			"values": {"log.retention.ms": 7},
			"requestedConfigs": {},
		},
		"change": {
			"before": {"log.retention.ms": "7"},
			"after": {"log.retention.ms": "7"},
			"explicit": {},
			"implicitlyDeleted": [],
		},
	}
}

# A broker's own over those of all brokers, those over Kafka's; a starting one has only its own.
test_effective[note] if {
	some note, tc in {
		"audit of one": {"operation": "AuditBroker", "request": {"broker": "1"}, "values": [7, 16]},
		"audit of all": {"operation": "AuditBroker", "request": {"broker": ""}, "values": [5, 16]},
		"alteration of one": {
			"operation": "AlterBroker",
			"request": {"broker": "1", "configs": _set("num.io.threads", "4")},
			"values": [7, 4],
		},
		"start": {
			"operation": "StartBroker",
			"request": {"broker": "1", "configs": {"log.retention.ms": "9"}},
			"values": [9, 8],
		},
	}
	values := brokers.prepared(_document(tc.operation, tc.request), {"now": 1, "params": {}}).effective.values
	tc.values == [values["log.retention.ms"], values["num.io.threads"]]
}

test_stored[note] if {
	some note, tc in {
		"one": {"broker": "1", "state": _state, "stored": [{"log.retention.ms": "7"}]},
		"all": {"broker": "", "state": _state, "stored": [_state.brokers[""].configs]},
		"all, nothing altered": {"broker": "", "state": {"brokers": {}}, "stored": [{}]},
		"unknown": {"broker": "2", "state": _state, "stored": []},
		"no brokers known": {"broker": "", "state": {}, "stored": []},
	}
	document := {"cluster": "c", "request": {"broker": tc.broker}, "clusterState": tc.state}
	tc.stored == [configs | configs := brokers.stored(document)]
}

_invalid_request(message) := {"code": 42, "name": "INVALID_REQUEST", "message": message}

_invalid_config(message) := {"code": 40, "name": "INVALID_CONFIG", "message": message}

_unknown := _invalid_request("Unexpected broker id, expected 1, but received 2")

test_refusals[note] if {
	some note, tc in {
		"alter": {
			"operation": "AlterBroker",
			"request": {"broker": "1", "configs": _set("num.io.threads", "4")},
			"refusals": set(),
		},
		"alter an unknown key": {
			"operation": "AlterBroker",
			"request": {"broker": "1", "configs": _set("vendor.key", "4")},
			"refusals": set(),
		},
		"alter an unknown broker": {
			"operation": "AlterBroker",
			"request": {"broker": "2", "configs": _set("num.io.threads", "4")},
			"refusals": {_unknown},
		},
		"alter to a bad value": {
			"operation": "AlterBroker",
			"request": {"broker": "1", "configs": _set("num.io.threads", "0")},
			"refusals": {_invalid_request("Invalid value 0 for configuration num.io.threads: Value must be at least 1")},
		},
		"alter what is read-only": {
			"operation": "AlterBroker",
			"request": {"broker": "1", "configs": _set("num.partitions", "4")},
			"refusals": {_invalid_request("Cannot update these configs dynamically: [num.partitions]")},
		},
		"alter one broker's for all": {
			"operation": "AlterBroker",
			"request": {"broker": "", "configs": _set("listeners", "PLAINTEXT://:9093")},
			"refusals": {_invalid_request(concat("", [
				"Cannot update these configs at default cluster level, broker id must be specified: ",
				"[listeners]",
			]))},
		},
		"alter one broker's for one": {
			"operation": "AlterBroker",
			"request": {"broker": "1", "configs": _set("listeners", "PLAINTEXT://:9093")},
			"refusals": set(),
		},
		"append to a number": {
			"operation": "AlterBroker",
			"request": {"broker": "1", "configs": _change([{"name": "log.retention.ms", "op": "APPEND", "value": "4"}])},
			"refusals": {_invalid_config("Config value append is not allowed for config key: log.retention.ms")},
		},
		"subtract from an unknown key": {
			"operation": "AlterBroker",
			"request": {"broker": "1", "configs": _change([{"name": "x", "op": "SUBTRACT", "value": "4"}])},
			"refusals": {_invalid_config("Unknown config name: x")},
		},
		"start": {
			"operation": "StartBroker",
			"request": {"broker": "9", "configs": object.union(_node, {"num.partitions": "4"})},
			"refusals": set(),
		},
		"start with a bad value": {
			"operation": "StartBroker",
			"request": {"broker": "9", "configs": object.union(_node, {"num.partitions": "x"})},
			"refusals": {_invalid_config("Invalid value x for configuration num.partitions: Not a number of type INT")},
		},
		"audit": {"operation": "AuditBroker", "request": {"broker": "1"}, "refusals": set()},
		"audit an unknown broker": {"operation": "AuditBroker", "request": {"broker": "2"}, "refusals": {_unknown}},
	}
	tc.refusals == brokers.refusals(_document(tc.operation, tc.request))
}

test_decided[operation] if {
	some operation, request in {
		"AlterBroker": {"broker": "", "configs": _set("num.io.threads", "4")},
		"StartBroker": {"broker": "1", "configs": object.union(_node, {"num.io.threads": "4"})},
		"AuditBroker": {"broker": "1"},
	}
	fixtures.allowed == fixtures.decide(_document(operation, request), {})
}
