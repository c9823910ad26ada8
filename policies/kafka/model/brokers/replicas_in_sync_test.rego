package kafka.model.brokers_test

import data.kafka.model.brokers

_ops(op) := _change([{"name": "min.insync.replicas", "op": op, "value": "2"}])

_cluster_wide := {"": {"configs": {"min.insync.replicas": "1"}}, "1": {"configs": {}}}

test_replicas_in_sync[note] if {
	altered := {_invalid_config("Broker-level min.insync.replicas cannot be altered while ELR is enabled.")}
	removed := {_invalid_config("Cluster-level min.insync.replicas cannot be removed while ELR is enabled.")}
	some note, tc in {
		"set on one": {"broker": "1", "change": _ops("SET"), "refused": altered},
		"removed from one": {"broker": "1", "change": _ops("DELETE"), "refused": altered},
		"all of one replaced": {
			"broker": "1",
			"change": {"mode": "full", "entries": {"min.insync.replicas": "1"}},
			"refused": altered,
		},
		"all of one replaced by another": {
			"broker": "1",
			"change": {"mode": "full", "entries": {"log.cleaner.threads": "2"}},
			"refused": set(),
		},
		"another of one": {"broker": "1", "change": _set("log.cleaner.threads", "2"), "refused": set()},
		"set for all": {"broker": "", "change": _ops("SET"), "refused": set()},
		"removed for all": {"broker": "", "change": _ops("DELETE"), "refused": removed},
		"another removed for all": {
			"broker": "",
			"change": _change([{"name": "log.cleaner.threads", "op": "DELETE"}]),
			"refused": set(),
		},
		"replaced for all, not named": {"broker": "", "change": {"mode": "full", "entries": {}}, "refused": removed},
		"replaced for all": {
			"broker": "",
			"change": {"mode": "full", "entries": {"min.insync.replicas": "2"}},
			"refused": set(),
		},
	}
	refused := {features: refusals |
		some features in [{"eligible.leader.replicas.version": 1}, {"eligible.leader.replicas.version": 0}, {}]
		refusals := brokers.refusals({
			"operation": "AlterBroker",
			"cluster": "c",
			"request": {"broker": tc.broker, "configs": tc.change},
			"clusterState": {"brokers": _cluster_wide, "features": features},
		})
	}
	refused == {
		{"eligible.leader.replicas.version": 1}: tc.refused,
		{"eligible.leader.replicas.version": 0}: set(),
		{}: set(),
	}
}

test_replicas_in_sync_of_a_cluster_without_features if {
	brokers.refusals({
		"operation": "AlterBroker",
		"cluster": "c",
		"request": {"broker": "1", "configs": _ops("SET")},
		"clusterState": {"brokers": _cluster_wide},
	}) == set()
}

test_length_of_a_brokers_value[note] if {
	some note, tc in {"as long as can be": {"n": 32760, "codes": set()}, "one longer": {"n": 32761, "codes": {40}}}
	letters := concat("", ["A" | some _ in numbers.range(1, tc.n)])
	appended := [{"name": "sasl.enabled.mechanisms", "op": "APPEND", "value": letters}] # to "GSSAPI"
	tc.codes == {refusal.code |
		some refusal in brokers.refusals({
			"operation": "AlterBroker",
			"cluster": "c",
			"request": {"broker": "1", "configs": _change(appended)},
			"clusterState": {"brokers": _cluster_wide},
		})
	}
}
