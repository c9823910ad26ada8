package kafka.model.resources_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.resources

_loggers(name, change) := object.union(
	object.remove(_document("broker-logger", name, []), ["request"]),
	{"request": {"resource": {"type": "broker-logger", "name": name}, "configs": change}},
)

_levels(ops) := {"mode": "incremental", "ops": ops}

_set_level(level) := {"name": "kafka.server.KafkaApis", "op": "SET", "value": level}

_reset(logger) := {"name": logger, "op": "DELETE"}

_no_level(level) := concat("", [
	$"Cannot set the log level of kafka.server.KafkaApis to {level} as it is not a supported log level. ",
	"Valid log levels are DEBUG, ERROR, FATAL, INFO, TRACE, WARN",
])

test_refused_of_loggers[note] if {
	some note, tc in {
		"a level": {"name": "1", "change": _levels([_set_level("DEBUG")]), "refusals": {}},
		"a level of the root": {
			"name": "1",
			"change": _levels([{"name": "root", "op": "SET", "value": "WARN"}]),
			"refusals": {},
		},
		"back to what it was": {"name": "1", "change": _levels([_reset("kafka.server.KafkaApis")]), "refusals": {}},
		"nothing": {"name": "1", "change": _levels([]), "refusals": {}},
		"from state to state": {
			"name": "1",
			"change": {"mode": "resolved", "before": {"a": "LOUD", "b": "INFO"}, "after": {"a": "LOUD", "b": "WARN"}},
			"refusals": {},
		},
		"in small letters": {
			"name": "1",
			"change": _levels([_set_level("debug")]),
			"refusals": {_no_level("debug"): "INVALID_CONFIG"},
		},
		"no level, from state to state": {
			"name": "1",
			"change": {"mode": "resolved", "before": {}, "after": {"kafka.server.KafkaApis": "OFF"}},
			"refusals": {_no_level("OFF"): "INVALID_CONFIG"},
		},
		"no level at all": {
			"name": "1",
			"change": _levels([_set_level(null)]),
			"refusals": {"Null value not supported for : kafka.server.KafkaApis": "INVALID_REQUEST"},
		},
		"the root's level removed": {
			"name": "1",
			"change": _levels([_reset("root")]),
			"refusals": {"Removing the log level of the root logger is not allowed": "INVALID_REQUEST"},
		},
		"a list of levels": {
			"name": "1",
			"change": _levels([object.union(_set_level("INFO"), {"op": "APPEND"})]),
			"refusals": {"APPEND operation is not allowed for the BROKER_LOGGER resource": "INVALID_REQUEST"},
		},
		"a level less": {
			"name": "1",
			"change": _levels([object.union(_set_level("INFO"), {"op": "SUBTRACT"})]),
			"refusals": {"SUBTRACT operation is not allowed for the BROKER_LOGGER resource": "INVALID_REQUEST"},
		},
		"twice": {
			"name": "1",
			"change": _levels([_set_level("INFO"), _set_level("WARN")]),
			"refusals": {"Error due to duplicate config keys": "INVALID_REQUEST"},
		},
		"no broker's number": {
			"name": "x",
			"change": _levels([]),
			"refusals": {"Node id must be an integer, but it is: x": "INVALID_REQUEST"},
		},
		"all replaced": {
			"name": "1",
			"change": {"mode": "full", "entries": {"kafka.server.KafkaApis": "INFO"}},
			"refusals": {"Unknown resource type 8": "INVALID_REQUEST"},
		},
		"all replaced, by null": {
			"name": "1",
			"change": {"mode": "full", "entries": {"kafka.server.KafkaApis": null}},
			"refusals": {"Null value not supported for : kafka.server.KafkaApis": "INVALID_REQUEST"},
		},
	}
	tc.refusals == {refusal.message: refusal.name | some refusal in resources.refusals(_loggers(tc.name, tc.change))}
}

test_prepared_loggers if {
	change := _levels([_set_level("DEBUG"), _reset("kafka.log")])
	prepared := resources.prepared(_loggers("1", change), {"now": 1, "params": {}})
	object.filter(prepared, ["resource", "current", "requested", "effective"]) == {
		"resource": {"type": "broker-logger", "name": "1"},
		"current": {"configs": {}, "values": {}},
		"requested": {
			"configs": {"kafka.server.KafkaApis": "DEBUG"},
			"values": {"kafka.server.KafkaApis": "DEBUG"},
			"requestedConfigs": {"kafka.server.KafkaApis": "DEBUG", "kafka.log": null},
		},
		"effective": {"values": {"kafka.server.KafkaApis": "DEBUG"}},
	}
}

# A site's rules see them; Kafka's older policies, as in Kafka, do not.
test_which_brokers_have_loggers if {
	document := _loggers("1", _levels([_set_level("TRACE")]))
	over := {"policies": {"alter.config.policy": "site.legacy.alter_config"}}
	fixtures.allowed == fixtures.decide(document, over) with data.site.legacy.alter_config.deny as {"no"}
	decision := fixtures.decide(document, over) with data.site.rules.quiet.deny as {"no TRACE"}
	decision.errors == ["SITE: \"no TRACE\""]
}
