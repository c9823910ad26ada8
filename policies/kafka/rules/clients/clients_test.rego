package kafka.rules.clients_test

import data.kafka.rules.clients as family

_file_params := {
	"KFK-CLI-002": {"allowed": ["lz4", "zstd"]},
	"KFK-CLI-003": {"topics": ["tx.*"]},
	"KFK-CLI-004": {"bounds": {"fetch.max.wait.ms": {"min": 100}, "fetch.min.bytes": {"max": 1000}}},
}

_groups := {
	"readers": {"members": 1, "offsets": {"tx.paid": {"0": 1}, "tx.made": {"0": 1}, "txs": {"0": 1}}},
	"others": {"members": 1, "offsets": {"my.tx.paid": {"0": 1}}},
	"idle": {"members": 1, "offsets": {}},
}

_running(files) := {
	"operation": "AuditClientConfigs",
	"cluster": "c",
	"params": _file_params,
	"entity": _app,
	"requested": {"configs": {}, "values": {}},
	"effective": {"configs": {}, "values": {}},
	"clusterState": {"groups": _groups, "staticClientConfigs": {"alice": {"app": files, "": {"producer": {}}}}},
}

_file_violation(rule, severity, message, fix, key) := {
	"rule": rule,
	"severity": severity,
	"message": message,
	"fix": fix,
	"path": ["configs", key],
	"patch": [],
}

_compressed(actual) := _file_violation(
	"KFK-CLI-002", "low",
	sprintf("producers of user alice, clientId app compress with %s; allowed are lz4, zstd", [actual]),
	"set compression.type to one of these: lz4, zstd", "compression.type",
)

test_compression[note] if {
	some note, tc in {
		"the first that is allowed": {"file": {"compression.type": "lz4"}, "deny": set()},
		"the last, with blanks": {"file": {"compression.type": " zstd "}, "deny": set()},
		"another": {"file": {"compression.type": "gzip"}, "deny": {_compressed("gzip")}},
		"in capitals, which Kafka refuses": {"file": {"compression.type": "ZSTD"}, "deny": {_compressed("ZSTD")}},
		"not said": {"file": {}, "deny": {_compressed("none")}},
		"no text": {"file": {"compression.type": 5}, "deny": {_compressed("5")}},
	}
	deny := family.deny with input as _running({"producer": tc.file})
	tc.deny == deny
}

_uncommitted(actual, topics) := _file_violation(
	"KFK-CLI-003", "medium",
	concat("", [
		sprintf("consumers of user alice, clientId app read %s with isolation.level=%s, ", [topics, actual]),
		"aborted records among the others",
	]),
	"set isolation.level to read_committed", "isolation.level",
)

test_isolation[note] if {
	some note, tc in {
		"committed": {"file": {"group.id": "readers", "isolation.level": "read_committed"}, "deny": set()},
		"committed, with blanks": {"file": {"group.id": "readers", "isolation.level": " read_committed"}, "deny": set()},
		"uncommitted": {
			"file": {"group.id": " readers ", "isolation.level": "read_uncommitted"},
			"deny": {_uncommitted("read_uncommitted", "tx.made, tx.paid")},
		},
		"not said": {"file": {"group.id": "readers"}, "deny": {_uncommitted("read_uncommitted", "tx.made, tx.paid")}},
		"a group of other topics": {"file": {"group.id": "others"}, "deny": set()},
		"a group that has read nothing": {"file": {"group.id": "idle"}, "deny": set()},
		"a group that is not known": {"file": {"group.id": "new"}, "deny": set()},
		"no group": {"file": {}, "deny": set()},
	}
	deny := family.deny with input as _running({"consumer": tc.file})
	tc.deny == deny
}

_fetched(name, actual, direction, limit) := _file_violation(
	"KFK-CLI-004", "low",
	sprintf("consumers of user alice, clientId app have %s=%d, which is %s of %d", [name, actual, direction, limit]),
	sprintf("set %s to %d", [name, limit]), name,
)

_not_fetched(name, actual, limit) := _file_violation(
	"KFK-CLI-004", "low",
	$"consumers of user alice, clientId app have {name}={actual}, which is not a number that Kafka can read",
	$"set {name} to {limit}", name,
)

test_fetch[note] if {
	some note, tc in {
		"as Kafka ships it": {"file": {}, "deny": set()},
		"on the minimum": {"file": {"fetch.max.wait.ms": "100"}, "deny": set()},
		"one below": {
			"file": {"fetch.max.wait.ms": "99"},
			"deny": {_fetched("fetch.max.wait.ms", 99, "below the minimum", 100)},
		},
		"on the maximum": {"file": {"fetch.min.bytes": "1000"}, "deny": set()},
		"one above": {
			"file": {"fetch.min.bytes": " 1001"},
			"deny": {_fetched("fetch.min.bytes", 1001, "above the maximum", 1000)},
		},
		"both": {
			"file": {"fetch.max.wait.ms": "0", "fetch.min.bytes": "2000"},
			"deny": {
				_fetched("fetch.max.wait.ms", 0, "below the minimum", 100),
				_fetched("fetch.min.bytes", 2000, "above the maximum", 1000),
			},
		},
		"no number, which no consumer starts with": {
			"file": {"fetch.min.bytes": "many", "fetch.max.wait.ms": ""},
			"deny": {_not_fetched("fetch.min.bytes", "many", 1000), _not_fetched("fetch.max.wait.ms", "", 100)},
		},
		"what nobody bounds": {"file": {"fetch.max.bytes": "0"}, "deny": set()},
	}
	deny := family.deny with input as _running({"consumer": tc.file})
	tc.deny == deny
}

# A default that lies outside of a site's bounds is a value like another.
test_fetch_of_defaults if {
	params := {"KFK-CLI-004": {"bounds": {"fetch.min.bytes": {"min": 2}, "fetch.max.bytes": {"max": 52428799}}}}
	prepared := object.remove(_running({"consumer": {}}), ["params"])
	deny := family.deny with input as object.union(prepared, {"params": params})
	deny == {
		_fetched("fetch.min.bytes", 1, "below the minimum", 2),
		_fetched("fetch.max.bytes", 52428800, "above the maximum", 52428799),
	}
}

# A site may leave a key's bounds empty; then no value of it is wrong, not even one that is not a number.
test_fetch_without_bounds if {
	params := {"KFK-CLI-004": {"bounds": {"fetch.min.bytes": {}}}}
	prepared := object.remove(_running({"consumer": {"fetch.min.bytes": "many"}}), ["params"])
	deny := family.deny with input as object.union(prepared, {"params": params})
	deny == set()
}

_all_wrong := {
	"producer": {"compression.type": "gzip"},
	"consumer": {"group.id": "readers", "fetch.max.wait.ms": "0"},
}

_rules(document) := {violation.rule | denied := family.deny with input as document; some violation in denied}

# Nothing is said of an application that the state does not have.
test_files_that_are_not_known[note] if {
	some note, changed in {
		"another application": {"entity": {"user": "alice", "clientId": "app2"}},
		"another user": {"entity": {"user": "bob", "clientId": "app"}},
		"the default client": {"entity": {"user": "alice", "clientId": null}},
		"the default user": {"entity": {"user": null}},
	}
	_rules(object.union(_running(_all_wrong), changed)) == set()
}

test_files_where_the_state_has_none if {
	prepared := object.remove(_running(_all_wrong), ["clusterState"])
	_rules(object.union(prepared, {"clusterState": {"groups": _groups}})) == set()
}

test_files_of_a_user_without_client_ids if {
	_rules(object.union(object.remove(_running(_all_wrong), ["entity"]), {"entity": {"user": "alice"}})) == {"KFK-CLI-002"}
}

test_files_with_replicated_state if {
	prepared := _running(_all_wrong)
	deny := family.deny with input as object.remove(prepared, ["clusterState"])
		with data.clusters as {"c": prepared.clusterState}
	{violation.rule | some violation in deny} == {"KFK-CLI-002", "KFK-CLI-003", "KFK-CLI-004"}
}

test_files_disabled if {
	_rules(object.union(object.remove(_running(_all_wrong), ["params"]), {"params": {}})) == set()
}
