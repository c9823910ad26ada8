package kafka.configs_test

import data.kafka.configs

_before := {"retention.ms": "1", "cleanup.policy": "delete"}

# One result, requested in the three forms: what comes after is the same; the full one removes unsaid, since a broker
# takes no null from it.
test_the_three_forms_agree[mode] if {
	some mode, tc in {
		"incremental": {
			"change": _incremental([
				_op("DELETE", "retention.ms", null),
				_op("SET", "segment.ms", "2"),
				_op("APPEND", "cleanup.policy", "compact"),
			]),
			"explicit": {"retention.ms": null, "segment.ms": "2", "cleanup.policy": "delete,compact"},
			"implicitlyDeleted": [],
		},
		"full": {
			"change": {"mode": "full", "entries": {"segment.ms": "2", "cleanup.policy": "delete,compact"}},
			"explicit": {"segment.ms": "2", "cleanup.policy": "delete,compact"},
			"implicitlyDeleted": ["retention.ms"],
		},
		"resolved": {
			"change": {
				"mode": "resolved",
				"before": _before,
				"after": {"segment.ms": "2", "cleanup.policy": "delete,compact"},
			},
			"explicit": {"retention.ms": null, "segment.ms": "2", "cleanup.policy": "delete,compact"},
			"implicitlyDeleted": [],
		},
	}
	change := configs.change with input as {
		"resourceType": "TOPIC",
		"resourceName": "t",
		"before": _before,
		"change": tc.change,
	}
	change == {
		"before": _before,
		"after": {"segment.ms": "2", "cleanup.policy": "delete,compact"},
		"explicit": tc.explicit,
		"implicitlyDeleted": tc.implicitlyDeleted,
		"errors": [],
	}
}

test_a_full_replacement_names_what_it_removes_unsaid if {
	change := configs.change with input as {"before": _before, "change": {"mode": "full", "entries": {"segment.ms": "2"}}}
	change == {
		"before": _before,
		"after": {"segment.ms": "2"},
		"explicit": {"segment.ms": "2"},
		"implicitlyDeleted": ["cleanup.policy", "retention.ms"],
		"errors": [],
	}
}

test_a_resolved_change_knows_what_was_before[note] if {
	resolved := {"mode": "resolved", "before": {"segment.ms": "2"}, "after": {}}
	some note, document in {
		"alone": {"change": resolved},
		"and the same again": {"before": {"segment.ms": "2"}, "change": resolved},
	}
	change := configs.change with input as document
	change == {
		"before": {"segment.ms": "2"},
		"after": {},
		"explicit": {"segment.ms": null},
		"implicitlyDeleted": [],
		"errors": [],
	}
}

test_two_befores_contradict_each_other if {
	resolved := {"mode": "resolved", "before": {"segment.ms": "2"}, "after": {}}
	change := configs.change with input as {"before": _before, "change": resolved}
	[error.message | some error in change.errors] == ["before: another than that of the change: send one of them"]
}

test_without_before_there_is_nothing_yet if {
	change := configs.change with input as {"change": _incremental([_op("SET", "segment.ms", "2")])}
	{"before": {}, "after": {"segment.ms": "2"}} == object.filter(change, ["before", "after"])
}

_not_a_list(kind, name) := {
	"code": 40,
	"name": "INVALID_CONFIG",
	"message": sprintf("Can't %s to key %s because its type is not LIST.", [kind, name]),
}

_null(names) := {
	"code": 42,
	"name": "INVALID_REQUEST",
	"message": concat("", ["Null value not supported for : ", names]),
}

_duplicate_key_errors := {"code": 42, "name": "INVALID_REQUEST", "message": "Error due to duplicate config keys"}

test_errors[note] if {
	some note, tc in {
		"APPEND to a number": {
			"ops": [_op("APPEND", "retention.ms", "1")],
			"errors": [_not_a_list("APPEND", "retention.ms")],
		},
		"SUBTRACT from a string": {
			"ops": [_op("SUBTRACT", "compression.type", "zstd")],
			"errors": [_not_a_list("SUBTRACT", "compression.type")],
		},
		"APPEND to an unknown key": {"ops": [_op("APPEND", "nope", "1")], "errors": [_not_a_list("APPEND", "nope")]},
		"APPEND to a list": {"ops": [_op("APPEND", "cleanup.policy", "compact")], "errors": []},
		"SET of null": {"ops": [_op("SET", "retention.ms", null)], "errors": [_null("retention.ms")]},
		"SET without a value": {"ops": [{"name": "retention.ms", "op": "SET"}], "errors": [_null("retention.ms")]},
		"APPEND of null": {"ops": [_op("APPEND", "cleanup.policy", null)], "errors": [_null("cleanup.policy")]},
		"two nulls in one sentence": {
			"ops": [_op("SET", "segment.ms", null), _op("SET", "retention.ms", null)],
			"errors": [_null("segment.ms, retention.ms")],
		},
		"DELETE of null": {"ops": [_op("DELETE", "retention.ms", null)], "errors": []},
		"the same key twice": {
			"ops": [_op("SET", "retention.ms", "1"), _op("DELETE", "retention.ms", null)],
			"errors": [_duplicate_key_errors],
		},
		"the same key three times": {
			"ops": [_op("SET", "retention.ms", "1"), _op("SET", "retention.ms", "1"), _op("SET", "retention.ms", "1")],
			"errors": [_duplicate_key_errors],
		},
		"two keys": {"ops": [_op("SET", "retention.ms", "1"), _op("SET", "segment.ms", "1")], "errors": []},
		"all at once, none hidden": {
			"ops": [_op("APPEND", "retention.ms", "1"), _op("SET", "segment.ms", null), _op("DELETE", "segment.ms", null)],
			"errors": [_duplicate_key_errors, _null("segment.ms"), _not_a_list("APPEND", "retention.ms")],
		},
	}
	change := configs.change with input as {"change": _incremental(tc.ops)}
	tc.errors == change.errors
}

_empty_change(errors) := {
	"before": {},
	"after": {},
	"explicit": {},
	"implicitlyDeleted": [],
	"errors": [{"code": 42, "name": "INVALID_REQUEST", "message": message} | some message in errors],
}

test_an_input_that_cannot_be_read[note] if {
	some note, tc in {
		"null": {"input": null, "begins": ["the input is not a JSON object: "]},
		"string": {"input": "x", "begins": ["the input is not a JSON object: "]},
		"empty": {"input": {}, "begins": ["change: "]},
		"change": {"input": {"change": {"mode": "x"}}, "begins": ["change: "]},
		"before": {"input": {"before": {"a": 1}, "change": _incremental([])}, "begins": ["before: "]},
		"resource type": {
			"input": {"resourceType": "user", "change": _incremental([])},
			"begins": ["resourceType: \"user\" is unknown"],
		},
		"resource type, no string": {
			"input": {"resourceType": 3, "change": _incremental([])},
			"begins": ["resourceType: 3 is unknown"],
		},
		"two fields": {"input": {"before": [], "change": 3}, "begins": ["before: ", "change: "]},
	}
	change := configs.change with input as tc.input
	messages := [error.message | some error in change.errors]
	change == _empty_change(messages)
	count(messages) == count(tc.begins)
	every i, begin in tc.begins { startswith(messages[i], begin) }
}

test_resource_types[type] if {
	some type, messages in {
		"TOPIC": ["Can't APPEND to key x because its type is not LIST."],
		"topic": ["Can't APPEND to key x because its type is not LIST."],
		"GROUP": ["Can't APPEND to key x because its type is not LIST."],
		"CLIENT_METRICS": ["Can't APPEND to key x because its type is not LIST."],
		"client-metrics": ["Can't APPEND to key x because its type is not LIST."],
		"BROKER": ["Unknown config name: x"],
	}
	change := configs.change with input as {"resourceType": type, "change": _incremental([_op("APPEND", "x", "1")])}
	messages == [error.message | some error in change.errors]
}

_not_allowed(name) := {
	"code": 40,
	"name": "INVALID_CONFIG",
	"message": $"Config value append is not allowed for config key: {name}",
}

_name_error(name) := {"code": 40, "name": "INVALID_CONFIG", "message": $"Unknown config name: {name}"}

# A broker checks the lists among its own keys itself; what no file has, it does not know here.
test_appending_to_configs_of_a_broker[name] if {
	some name, expected in {
		"log.cleanup.policy": [],
		"listener.name.x.ssl.cipher.suites": [_name_error("listener.name.x.ssl.cipher.suites")],
		"log.retention.ms": [_not_allowed("log.retention.ms")],
		"leader.replication.throttled.rate": [_name_error("leader.replication.throttled.rate")],
		"x": [_name_error("x")],
	}
	change := configs.change with input as {"resourceType": "broker", "change": _incremental([_op("APPEND", name, "a")])}
	expected == change.errors
}

test_a_full_replacement_takes_no_null if {
	entries := {"segment.ms": null, "retention.ms": null, "flush.ms": "1"}
	change := configs.change with input as {"before": _before, "change": {"mode": "full", "entries": entries}}
	change.errors == [_null("retention.ms, segment.ms")]
}

test_a_change_without_an_input if {
	[error] := configs.change.errors
	error.message == "the input is not a JSON object: send one with a change"
}
