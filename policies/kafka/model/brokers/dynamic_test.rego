package kafka.model.brokers_test

import data.kafka.model.brokers

# In its file the broker compacts and has two threads; two configs are its own and dynamic, a third is everybody's.
_dynamic := {
	"": {"configs": {"log.retention.ms": "5", "metric.reporters": "a.B"}},
	"1": {
		"configs": {
			"log.cleaner.threads": "3",
			"log.cleanup.policy": "compact",
			"log.retention.ms": "5",
			"message.max.bytes": "7",
		},
		"dynamicConfigs": {"log.cleaner.threads": "3", "message.max.bytes": "7"},
		"fallbackConfigs": {"log.cleaner.threads": "2"},
	},
}

_altering(broker, known, change) := object.union(
	_document("AlterBroker", {"broker": broker, "configs": change}),
	{"clusterState": {"brokers": known}},
)

_change_row(mode, after, deleted, then) := {"mode": mode, "after": after, "deleted": deleted, "then": then}

_policy_op(op, value) := _change([{"name": "log.cleanup.policy", "op": op, "value": value}])

_dynamic_configs := _dynamic["1"].dynamicConfigs

_set_of_it := _dynamic["1"].configs

# `then` is what is set of the broker once that is done: own values, else those of all brokers or of its file.
test_dynamic[note] if {
	some note, tc in {
		"nothing": _change_row(_change([]), _dynamic_configs, [], _set_of_it),
		"SET over the file": _change_row(
			_policy_op("SET", "delete"),
			object.union(_dynamic_configs, {"log.cleanup.policy": "delete"}),
			[],
			object.union(_set_of_it, {"log.cleanup.policy": "delete"}),
		),
		"APPEND starts from Kafka's default": _change_row(
			_policy_op("APPEND", "delete"),
			object.union(_dynamic_configs, {"log.cleanup.policy": "delete"}),
			[],
			object.union(_set_of_it, {"log.cleanup.policy": "delete"}),
		),
		"SUBTRACT starts from Kafka's default": _change_row(
			_policy_op("SUBTRACT", "compact"),
			object.union(_dynamic_configs, {"log.cleanup.policy": "delete"}),
			[],
			object.union(_set_of_it, {"log.cleanup.policy": "delete"}),
		),
		"DELETE of what the file has": _change_row(_policy_op("DELETE", null), _dynamic_configs, [], _set_of_it),
		"DELETE of what lies over the file": _change_row(
			_change([{"name": "log.cleaner.threads", "op": "DELETE"}]),
			{"message.max.bytes": "7"},
			[],
			object.union(_set_of_it, {"log.cleaner.threads": "2"}),
		),
		"DELETE of what lies over Kafka's default": _change_row(
			_change([{"name": "message.max.bytes", "op": "DELETE"}]),
			{"log.cleaner.threads": "3"},
			[],
			object.remove(_set_of_it, ["message.max.bytes"]),
		),
		"replaced": _change_row(
			{"mode": "full", "entries": {"message.max.bytes": "8"}},
			{"message.max.bytes": "8"},
			["log.cleaner.threads"],
			object.union(_set_of_it, {"log.cleaner.threads": "2", "message.max.bytes": "8"}),
		),
		"replaced by nothing": _change_row(
			{"mode": "full", "entries": {}},
			{},
			["log.cleaner.threads", "message.max.bytes"],
			object.union(object.remove(_set_of_it, ["message.max.bytes"]), {"log.cleaner.threads": "2"}),
		),
		"resolved": _change_row(
			{"mode": "resolved", "before": _dynamic_configs, "after": {"message.max.bytes": "8"}},
			{"message.max.bytes": "8"},
			[],
			object.union(_set_of_it, {"log.cleaner.threads": "2", "message.max.bytes": "8"}),
		),
	}
	whole := brokers.prepared(_altering("1", _dynamic, tc.mode), {"now": 1, "params": {}})
	change := whole.change
	found := {
		"before": change.before,
		"after": change.after,
		"deleted": change.implicitlyDeleted,
		"current": whole.current.configs,
		"requested": whole.requested.configs,
		"errors": change.errors,
	}
	found == {
		"before": _dynamic_configs,
		"after": tc.after,
		"deleted": tc.deleted,
		"current": _set_of_it,
		"requested": tc.then,
		"errors": [],
	}
}

# What a caller says was before counts where the state does not tell which configs are dynamic, and nowhere else.
test_dynamic_that_a_caller_knows[note] if {
	unsaid := {"1": {"configs": {"log.cleanup.policy": "delete", "log.retention.ms": "5"}}}
	some note, tc in {
		"the state tells": {"known": _dynamic, "before": _dynamic["1"].dynamicConfigs},
		"the state does not": {"known": unsaid, "before": {"log.cleanup.policy": "delete"}},
	}
	change := {"mode": "resolved", "before": {"log.cleanup.policy": "delete"}, "after": {}}
	whole := brokers.prepared(_altering("1", tc.known, change), {"now": 1, "params": {}})
	whole.change.before == tc.before
}

test_dynamic_values_in_force if {
	replaced := _altering("1", _dynamic, {"mode": "full", "entries": {}})
	whole := brokers.prepared(replaced, {"now": 1, "params": {}})
	names := ["log.cleaner.threads", "log.cleanup.policy", "log.retention.ms", "message.max.bytes"]
	[value | some name in names; value := whole.effective.values[name]] == [2, ["compact"], 5, 1048588]
}

# One that does not tell which are dynamic; one that has none; the default of all, which is dynamic; one that is not.
test_dynamic_or_not[note] if {
	unsaid := {"1": {"configs": {"log.cleanup.policy": "compact"}}}
	none := {"1": {"configs": {"log.cleanup.policy": "compact"}, "dynamicConfigs": {}}}
	some note, tc in {
		"no own configs": {
			"broker": "1",
			"known": unsaid,
			"change": _policy_op("APPEND", "delete"),
			"after": ["compact,delete"],
		},
		"none": {"broker": "1", "known": none, "change": _policy_op("APPEND", "compact"), "after": ["delete,compact"]},
		"all brokers": {
			"broker": "",
			"known": {"": {"configs": {"log.cleanup.policy": "compact"}}},
			"change": _policy_op("APPEND", "delete"),
			"after": ["compact,delete"],
		},
		"all brokers, nothing altered": {
			"broker": "",
			"known": unsaid,
			"change": _policy_op("APPEND", "compact"),
			"after": ["delete,compact"],
		},
		"unknown": {"broker": "2", "known": none, "change": _policy_op("SET", "delete"), "after": []},
	}
	document := _altering(tc.broker, tc.known, tc.change)
	[text | text := brokers.resolved_change(document).after["log.cleanup.policy"]] == tc.after
}

# What is too long once the file's value is not a part of it; what is removed unsaid is dynamic.
test_refusals_of_dynamic[note] if {
	letters := replace(sprintf("%032760d", [0]), "0", "A")
	lists := {"1": {"configs": {"sasl.enabled.mechanisms": "GSSAPI,PLAIN"}, "dynamicConfigs": {}}}
	shared := {"": {"configs": {"min.insync.replicas": "1"}}}
	some note, tc in {
		"appended to Kafka's default": {
			"broker": "1",
			"known": lists,
			"change": _change([{"name": "sasl.enabled.mechanisms", "op": "APPEND", "value": letters}]),
			"codes": set(),
		},
		"one longer": {
			"broker": "1",
			"known": lists,
			"change": _change([{"name": "sasl.enabled.mechanisms", "op": "APPEND", "value": concat("", [letters, "A"])}]),
			"codes": {40},
		},
		"replicas in sync removed unsaid": {
			"broker": "",
			"known": shared,
			"change": {"mode": "full", "entries": {}},
			"codes": {40},
		},
		"replicas in sync in the file": {
			"broker": "1",
			"known": {"1": {"configs": {"min.insync.replicas": "1"}, "dynamicConfigs": {}}},
			"change": {"mode": "full", "entries": {}},
			"codes": set(),
		},
	}
	document := json.patch(
		_altering(tc.broker, tc.known, tc.change),
		[{"op": "add", "path": "/clusterState/features", "value": {"eligible.leader.replicas.version": 1}}],
	)
	{refusal.code | some refusal in brokers.refusals(document)} == tc.codes
}

# What all brokers have is dynamic: a resolved change's own statement of before does not count.
test_what_all_brokers_have_is_known if {
	mode := {"mode": "resolved", "before": {"log.retention.ms": "1"}, "after": {}}
	change := brokers.prepared(_altering("", _dynamic, mode), {"now": 1, "params": {}}).change
	change.before == object.union(_state.brokers[""].configs, _dynamic[""].configs)
}
