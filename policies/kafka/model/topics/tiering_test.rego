package kafka.model.topics_test

import data.kafka.fixtures_test as fixtures
import data.kafka.model.topics

_no_tiers := {_error(40, "INVALID_CONFIG", concat("", [
	"Tiered Storage functionality is disabled in the broker. ",
	"Topic cannot be configured with remote log storage.",
]))}

_broker(value) := {"host": "b", "configs": {"remote.log.storage.system.enable": value}}

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
		"not requested": {"brokers": {"1": _broker("false")}, "text": "false", "refused": set()},
		"turned on": {"brokers": {"1": _broker("true")}, "text": "true", "refused": set()},
		"turned on in one": {
			"brokers": {"1": _broker("false"), "2": _broker("true")},
			"text": "true",
			"refused": set(),
		},
		"not known of one": {
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

# What tiered storage has nothing to do with may be altered of a topic that could not have it any more.
test_tiering_that_is_there_already[name] if {
	tiered := object.union(fixtures.topic, {"configs": {"remote.storage.enable": "true"}})
	some name, refused in {
		"segment.ms": set(), "compression.type": set(),
		"retention.ms": _no_tiers, "local.retention.bytes": _no_tiers, "cleanup.policy": _no_tiers,
	}
	value := {"cleanup.policy": "delete", "compression.type": "lz4"}
	document := _alter_from(tiered, {"configs": _change_of(name, "SET", object.get(value, name, "5"))})
	topics.refusals("AlterTopic", _with_brokers({"1": _broker("false")}, document)) == refused
}

_tiering := {"1": _broker("true")}

_tiered(configs) := object.union({"remote.storage.enable": "true"}, configs)

_value_error(name, value, problem) := concat("", [
	"Invalid value ", value, " for configuration local.", name, ": Value must not be ", problem,
])

_excess(name, value, limit) := _value_error(name, value, concat("", ["more than ", name, " property value: ", limit]))

_late(unit, lag, kept) := concat("", [
	"Invalid value ", lag, " for configuration remote.copy.lag.", unit, ": Value must not exceed local.retention.", unit,
	" (effective value: ", kept, ")",
])

_unlimited(name, limit) := _value_error(name, "-1", concat("", ["-1 as ", name, " value is set as ", limit, "."]))

_compacted := concat(" ", [
	"Remote log storage only supports topics with cleanup.policy=delete",
	"or cleanup.policy being an empty list.",
])

_uncopied(name) := concat("", [
	"When `remote.log.copy.disable` is set to true, the `local.", name, "` and `", name,
	"` must be set to the identical value because there will be no more logs copied to the remote storage.",
])

# With the first refusal only, as controllers have it; the cluster's defaults count where the topic says nothing.
test_what_tiered_storage_takes[note] if {
	some note, tc in {
		"nothing besides": {"configs": {}, "refused": []},
		"compacted": {"configs": {"cleanup.policy": "compact"}, "refused": [_compacted]},
		"compacted too": {"configs": {"cleanup.policy": "delete,compact"}, "refused": [_compacted]},
		"deleted twice": {"configs": {"cleanup.policy": "delete, delete"}, "refused": []},
		"no policy": {"configs": {"cleanup.policy": ""}, "refused": []},
		"compacted by default": {
			"configs": {},
			"defaults": {"cleanup.policy": "compact"},
			"refused": [_compacted],
		},
		"as long": {"configs": {"local.retention.ms": "5", "retention.ms": "5"}, "refused": []},
		"longer": {
			"configs": {"local.retention.ms": "6", "retention.ms": "5"},
			"refused": [_excess("retention.ms", "6", "5")],
		},
		"longer than by default": {
			"configs": {"local.retention.ms": "6"},
			"defaults": {"retention.ms": "5"},
			"refused": [_excess("retention.ms", "6", "5")],
		},
		"by default longer": {
			"configs": {"retention.ms": "5"},
			"defaults": {"local.retention.ms": "6"},
			"refused": [_excess("retention.ms", "6", "5")],
		},
		"for ever": {
			"configs": {"local.retention.ms": "-1", "retention.ms": "0"},
			"refused": [_unlimited("retention.ms", "0")],
		},
		"for ever, as all of it": {"configs": {"local.retention.ms": "-1", "retention.ms": "-1"}, "refused": []},
		"one of what is for ever": {"configs": {"local.retention.ms": "1", "retention.ms": "-1"}, "refused": []},
		"for ever, as all of it in another spelling": {
			"configs": {"local.retention.ms": "-1", "retention.ms": "9223372036854775807"},
			"refused": [_unlimited("retention.ms", "9223372036854775807")],
		},
		"all of it": {"configs": {"local.retention.ms": "-2", "retention.ms": "0"}, "refused": []},
		"more bytes": {
			"configs": {"local.retention.bytes": "1", "retention.bytes": "0"},
			"refused": [_excess("retention.bytes", "1", "0")],
		},
		"any bytes": {
			"configs": {"local.retention.bytes": "-1", "retention.bytes": "9"},
			"refused": [_unlimited("retention.bytes", "9")],
		},
		"any bytes of any": {"configs": {"local.retention.bytes": "-1"}, "refused": []},
		"bytes before milliseconds": {
			"configs": {"local.retention.bytes": "1", "retention.bytes": "0", "local.retention.ms": "-1"},
			"refused": [_excess("retention.bytes", "1", "0")],
		},
		"copied when local retention deletes it": {
			"configs": {"remote.copy.lag.ms": "5", "local.retention.ms": "5"},
			"refused": [],
		},
		"copied later than local retention deletes it": {
			"configs": {"remote.copy.lag.ms": "6", "local.retention.ms": "5"},
			"refused": [_late("ms", "6", "5")],
		},
		"copied later than retention deletes it": {
			"configs": {"remote.copy.lag.bytes": "11", "retention.bytes": "10"},
			"refused": [_late("bytes", "11", "10")],
		},
		"copied late, and nothing is deleted": {"configs": {"remote.copy.lag.bytes": "11"}, "refused": []},
		"copied at once": {"configs": {"remote.copy.lag.ms": "-1", "local.retention.ms": "0"}, "refused": []},
		"the policy before all": {
			"configs": {"cleanup.policy": "compact", "local.retention.ms": "-1"},
			"refused": [_compacted],
		},
		"no longer copied": {"configs": {"remote.log.copy.disable": "true"}, "refused": []},
		"no longer copied, less time": {
			"configs": {"remote.log.copy.disable": "true", "local.retention.ms": "4", "retention.ms": "5"},
			"refused": [_uncopied("retention.ms")],
		},
		"no longer copied, all of the time": {
			"configs": {"remote.log.copy.disable": "true", "local.retention.ms": "5", "retention.ms": "5"},
			"refused": [],
		},
		"no longer copied, fewer bytes and less time": {
			"configs": {"remote.log.copy.disable": "true", "local.retention.bytes": "4", "local.retention.ms": "4"},
			"refused": [_uncopied("retention.bytes")],
		},
		"no longer copied, more time": {
			"configs": {"remote.log.copy.disable": "true", "local.retention.ms": "6", "retention.ms": "5"},
			"refused": [_excess("retention.ms", "6", "5")],
		},
		"copied": {"configs": {"remote.log.copy.disable": "false", "local.retention.bytes": "4"}, "refused": []},
		"values first": {
			"configs": {"cleanup.policy": "compact", "retention.ms": "x"},
			"refused": ["Invalid value x for configuration retention.ms: Not a number of type LONG"],
		},
	}
	state := {"brokers": _tiering, "defaults": object.get(tc, "defaults", {})}
	created := object.union(
		_create({"replicationFactor": 1, "configs": _tiered(tc.configs)}),
		{"clusterState": state},
	)
	before := object.union(fixtures.topic, {"configs": {}})
	altered := object.union(
		_alter_from(before, {"configs": {"mode": "full", "entries": _tiered(tc.configs)}}),
		{"clusterState": state},
	)
	wanted := {_error(40, "INVALID_CONFIG", message) | some message in tc.refused}
	{wanted} == {topics.refusals("CreateTopic", created), topics.refusals("AlterTopic", altered)}
}

_left_behind := {_error(40, "INVALID_CONFIG", concat("", [
	"It is invalid to disable remote storage without deleting remote data. ",
	"If you want to keep the remote data and turn to read only, please set ",
	"`remote.storage.enable=true,remote.log.copy.disable=true`. ",
	"If you want to disable remote storage and delete all remote data, please set ",
	"`remote.storage.enable=false,remote.log.delete.on.disable=true`.",
]))}

test_tiering_turned_off[note] if {
	some note, tc in {
		"removed": {"before": "true", "after": {}, "refused": _left_behind},
		"set": {"before": "true", "after": {"remote.storage.enable": "false"}, "refused": _left_behind},
		"in capitals": {"before": "True", "after": {"remote.storage.enable": "FALSE"}, "refused": _left_behind},
		"what Java calls no truth": {"before": " true", "after": {}, "refused": set()},
		"deleted": {"before": "true", "after": {"remote.log.delete.on.disable": "true"}, "refused": set()},
		"not deleted": {"before": "true", "after": {"remote.log.delete.on.disable": "false"}, "refused": _left_behind},
		"left on": {"before": "true", "after": {"remote.storage.enable": "true"}, "refused": set()},
		"never on": {"before": "false", "after": {}, "refused": set()},
		"values first": {
			"before": "true",
			"after": {"retention.ms": "x"},
			"refused": {_error(
				40, "INVALID_CONFIG",
				"Invalid value x for configuration retention.ms: Not a number of type LONG",
			)},
		},
	}
	before := object.union(fixtures.topic, {"configs": {"remote.storage.enable": tc.before}})
	document := _alter_from(before, {"configs": {"mode": "full", "entries": tc.after}})
	topics.refusals("AlterTopic", _with_brokers(_tiering, document)) == tc.refused
}

# In a decision it is Kafka's refusal that names the code, beside the rule that says so in words of its own.
test_tiering_decided if {
	request := {"topic": "shop.baskets", "configs": _tiered({"cleanup.policy": "compact"})}
	decision := fixtures.decide(_with_brokers(_tiering, fixtures.document({"request": request})), {})
	[decision.error.code, _compacted in decision.errors] == [40, true]
}
