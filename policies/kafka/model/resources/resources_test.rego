package kafka.model.resources_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.resources

_state := {
	"catalog": {"release": data.catalog.group.kafka},
	"resourceConfigs": {
		"group": {"g": {"consumer.session.timeout.ms": "60000"}},
		"client-metrics": {"m": {"interval.ms": "1000"}},
		"broker-logger": {"g": {"root": "INFO"}},
	},
	"meta": fixtures.state.meta,
}

_document(type, name, ops) := {
	"operation": "AlterConfig",
	"cluster": "prod-eu",
	"now": fixtures.now,
	"request": {"resource": {"type": type, "name": name}, "configs": {"mode": "incremental", "ops": ops}},
	"clusterState": _state,
}

_set := [{"name": "consumer.heartbeat.interval.ms", "op": "SET", "value": "6000"}]

test_group if {
	prepared := resources.prepared(_document("group", "g", _set), {"now": 1, "params": {}})
	object.filter(prepared, ["resource", "labels", "current", "requested"]) == {
		"resource": {"type": "group", "name": "g"},
		"labels": {},
		"current": {
			"configs": {"consumer.session.timeout.ms": "60000"},
			"values": {"consumer.session.timeout.ms": 60000},
		},
		"requested": {
			"configs": {"consumer.session.timeout.ms": "60000", "consumer.heartbeat.interval.ms": "6000"},
			"values": {"consumer.session.timeout.ms": 60000, "consumer.heartbeat.interval.ms": 6000},
			"requestedConfigs": {"consumer.heartbeat.interval.ms": "6000"},
		},
	}
	prepared.effective.values["consumer.heartbeat.interval.ms"] == 6000
	prepared.effective.values["share.delivery.count.limit"] == 5
}

test_before[note] if {
	some note, tc in {
		"group": {"type": "group", "name": "g", "before": {"consumer.session.timeout.ms": "60000"}},
		"another group": {"type": "group", "name": "h", "before": {}},
		"client metrics": {"type": "client-metrics", "name": "m", "before": {"interval.ms": "1000"}},
		"a subscription of a group's name": {"type": "client-metrics", "name": "g", "before": {}},
		"loggers": {"type": "broker-logger", "name": "g", "before": {}},
	}
	tc.before == resources.prepared(_document(tc.type, tc.name, []), {"now": 1, "params": {}}).change.before
}

_refusal(code, name, message) := {"code": code, "name": name, "message": message}

test_refusals[note] if {
	some note, tc in {
		"fine": {"type": "group", "ops": _set, "refusals": set()},
		"client metrics": {
			"type": "client-metrics",
			"ops": [{"name": "interval.ms", "op": "SET", "value": "5000"}],
			"refusals": set(),
		},
		"no list of a group is one to the controller": {
			"type": "group",
			"ops": [{"name": "nope", "op": "APPEND", "value": "a"}],
			"refusals": {_refusal(
				40, "INVALID_CONFIG",
				"Can't APPEND to key nope because its type is not LIST.",
			)},
		},
		"nor of client metrics": {
			"type": "client-metrics",
			"ops": [{"name": "metrics", "op": "APPEND", "value": "a"}],
			"refusals": {_refusal(40, "INVALID_CONFIG", "Can't APPEND to key metrics because its type is not LIST.")},
		},
		"a bad value": {
			"type": "group",
			"ops": [{"name": "consumer.heartbeat.interval.ms", "op": "SET", "value": "0"}],
			"refusals": {_refusal(
				40, "INVALID_CONFIG",
				"Invalid value 0 for configuration consumer.heartbeat.interval.ms: Value must be at least 1",
			)},
		},
		"null": {
			"type": "group",
			"ops": [{"name": "consumer.heartbeat.interval.ms", "op": "SET", "value": null}],
			"refusals": {_refusal(42, "INVALID_REQUEST", "Null value not supported for : consumer.heartbeat.interval.ms")},
		},
	}
	tc.refusals == resources.refusals(_document(tc.type, "x", tc.ops))
}

test_decided[type] if {
	some type, name in {"group": "x", "client-metrics": "x", "broker-logger": "1"}
	fixtures.allowed == fixtures.decide(_document(type, name, []), {})
}
