package kafka.configs_test

import data.kafka.configs

_incremental(ops) := {"mode": "incremental", "ops": ops}

_op(kind, name, value) := {"name": name, "op": kind, "value": value}

# What a broker stores, case by case as ConfigurationControlManager was seen to answer (Kafka 4.3).
test_incremental[note] if {
	some note, tc in {
		"SET": {"before": {}, "ops": [_op("SET", "retention.ms", "1")], "after": {"retention.ms": "1"}},
		"SET over another": {
			"before": {"retention.ms": "2", "segment.ms": "3"},
			"ops": [_op("SET", "retention.ms", "1")],
			"after": {"retention.ms": "1", "segment.ms": "3"},
		},
		"SET to the same": {
			"before": {"retention.ms": "1"},
			"ops": [_op("SET", "retention.ms", "1")],
			"after": {"retention.ms": "1"},
		},
		"SET to null removes": {"before": {"retention.ms": "1"}, "ops": [_op("SET", "retention.ms", null)], "after": {}},
		"DELETE": {
			"before": {"retention.ms": "1", "segment.ms": "3"},
			"ops": [_op("DELETE", "retention.ms", null)],
			"after": {"segment.ms": "3"},
		},
		"DELETE ignores its value": {
			"before": {"retention.ms": "1"},
			"ops": [_op("DELETE", "retention.ms", "5")],
			"after": {},
		},
		"DELETE without a value": {
			"before": {"retention.ms": "1"},
			"ops": [{"name": "retention.ms", "op": "DELETE"}],
			"after": {},
		},
		"DELETE of what is not there": {"before": {}, "ops": [_op("DELETE", "retention.ms", null)], "after": {}},
		"several": {
			"before": {"retention.ms": "1"},
			"ops": [
				_op("DELETE", "retention.ms", null),
				_op("SET", "segment.ms", "2"),
				_op("APPEND", "cleanup.policy", "compact"),
			],
			"after": {"segment.ms": "2", "cleanup.policy": "delete,compact"},
		},
		"none": {"before": {"retention.ms": "1"}, "ops": [], "after": {"retention.ms": "1"}},
	}
	tc.after == configs.after("topic", tc.before, _incremental(tc.ops))
}

# `old` is the override, or null where there is none; so is `new`. The ConfigDef default of cleanup.policy is delete.
test_lists[note] if {
	some note, tc in {
		"APPEND of a value already in the override": {"old": "compact", "op": "APPEND", "value": "compact", "new": "compact"},
		"APPEND of a value already in the default": {"old": null, "op": "APPEND", "value": "delete", "new": "delete"},
		"APPEND to the default": {"old": null, "op": "APPEND", "value": "compact", "new": "delete,compact"},
		"APPEND to the override": {"old": "compact", "op": "APPEND", "value": "delete", "new": "compact,delete"},
		"APPEND to an empty override": {"old": "", "op": "APPEND", "value": "compact", "new": "compact"},
		"APPEND of several": {"old": "a", "op": "APPEND", "value": "b,a,c", "new": "a,b,c"},
		"APPEND of the same twice": {"old": "a", "op": "APPEND", "value": "b,b", "new": "a,b"},
		"APPEND compares untrimmed": {"old": "delete", "op": "APPEND", "value": " delete", "new": "delete, delete"},
		"APPEND of the empty string": {"old": "delete", "op": "APPEND", "value": "", "new": "delete,"},
		"APPEND of a comma": {"old": "delete", "op": "APPEND", "value": ",", "new": "delete"},
		"APPEND drops what trails empty": {"old": "delete", "op": "APPEND", "value": "compact,,", "new": "delete,compact"},
		"APPEND keeps what leads empty": {"old": "delete", "op": "APPEND", "value": ",compact", "new": "delete,,compact"},
		"APPEND drops empties of the override": {"old": "a,,b", "op": "APPEND", "value": "c", "new": "a,b,c"},
		"SUBTRACT": {"old": "compact,delete", "op": "SUBTRACT", "value": "compact", "new": "delete"},
		"SUBTRACT of an absent value": {"old": "delete", "op": "SUBTRACT", "value": "compact", "new": "delete"},
		"SUBTRACT of an absent value from the default": {"old": null, "op": "SUBTRACT", "value": "compact", "new": "delete"},
		"SUBTRACT of the last value": {"old": "delete", "op": "SUBTRACT", "value": "delete", "new": ""},
		"SUBTRACT of the default": {"old": null, "op": "SUBTRACT", "value": "delete", "new": ""},
		"SUBTRACT takes the first only": {"old": "delete,delete", "op": "SUBTRACT", "value": "delete", "new": "delete"},
		"SUBTRACT of the same twice takes two": {"old": "a,b,a,a", "op": "SUBTRACT", "value": "a,a", "new": "b,a"},
		"SUBTRACT of the same once too often": {"old": "a,b", "op": "SUBTRACT", "value": "a,a", "new": "b"},
		"SUBTRACT compares untrimmed": {
			"old": "compact, delete",
			"op": "SUBTRACT",
			"value": "delete",
			"new": "compact, delete",
		},
		"SUBTRACT of the empty string": {"old": "delete", "op": "SUBTRACT", "value": "", "new": "delete"},
		"SUBTRACT of a comma": {"old": "delete", "op": "SUBTRACT", "value": ",", "new": "delete"},
		"SUBTRACT of several": {"old": "a,b,c", "op": "SUBTRACT", "value": "c,a", "new": "b"},
	}
	before := {"cleanup.policy": tc.old | tc.old != null}
	{"cleanup.policy": tc.new} == configs.after("topic", before, _incremental([_op(tc.op, "cleanup.policy", tc.value)]))
}

# A list whose ConfigDef default is empty.
test_append_to_an_empty_default if {
	name := "leader.replication.throttled.replicas"
	configs.after("topic", {}, _incremental([_op("APPEND", name, "0:1")])) == {name: "0:1"}
}

test_the_cluster_s_default_is_not_what_append_starts_from if {
	ops := [_op("APPEND", "cleanup.policy", "compact")]
	after := configs.after("topic", {}, _incremental(ops)) with data.clusters.c.defaults as {"cleanup.policy": "compact"}
	after == {"cleanup.policy": "delete,compact"}
}

test_full[note] if {
	some note, tc in {
		"replaces all": {"entries": {"segment.ms": "2"}, "after": {"segment.ms": "2"}, "implicit": ["retention.ms"]},
		"keeps what it names": {
			"entries": {"retention.ms": "1", "segment.ms": "2"},
			"after": {"retention.ms": "1", "segment.ms": "2"},
			"implicit": [],
		},
		"null removes, by name": {"entries": {"retention.ms": null}, "after": {}, "implicit": []},
		"empty removes all, unsaid": {"entries": {}, "after": {}, "implicit": ["retention.ms"]},
	}
	before := {"retention.ms": "1"}
	change := {"mode": "full", "entries": tc.entries}
	actual := [
		configs.after("topic", before, change),
		configs.explicit("topic", before, change),
		configs.implicitly_deleted(before, change),
	]
	[tc.after, tc.entries, tc.implicit] == actual
}

test_explicit[note] if {
	some note, tc in {
		"incremental, resolved": {
			"change": _incremental([_op("APPEND", "cleanup.policy", "compact"), _op("SET", "segment.ms", "3")]),
			"explicit": {"cleanup.policy": "delete,compact", "segment.ms": "3"},
		},
		"incremental, removed": {
			"change": _incremental([_op("DELETE", "retention.ms", "9")]),
			"explicit": {"retention.ms": null},
		},
		"incremental, nothing": {"change": _incremental([]), "explicit": {}},
		"resolved, only what differs": {
			"change": {
				"mode": "resolved",
				"before": {"retention.ms": "1", "segment.ms": "2", "x": "0"},
				"after": {"retention.ms": "5", "segment.ms": "2", "y": "0"},
			},
			"before": {"retention.ms": "1", "segment.ms": "2", "x": "0"},
			"explicit": {"retention.ms": "5", "x": null, "y": "0"},
		},
		"resolved, whatever it says was before": {
			"change": {"mode": "resolved", "before": {"x": "0"}, "after": {"retention.ms": null, "y": null}},
			"explicit": {"retention.ms": null},
		},
	}
	tc.explicit == configs.explicit("topic", object.get(tc, "before", {"retention.ms": "1"}), tc.change)
}

test_only_a_full_replacement_deletes_implicitly[note] if {
	some note, change in {
		"incremental": _incremental([_op("DELETE", "retention.ms", null)]),
		"resolved": {"mode": "resolved", "before": {"retention.ms": "1"}, "after": {}},
	}
	configs.implicitly_deleted({"retention.ms": "1"}, change) == []
}
