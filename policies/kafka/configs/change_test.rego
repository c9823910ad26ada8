package kafka.configs_test

import data.kafka.configs

_before := {"retention.ms": "1", "cleanup.policy": "delete"}

# One outcome, asked for in the three forms: what comes after is the same, only the full one removes unsaid.
test_the_three_forms_agree[mode] if {
	some mode, tc in {
		"incremental": {
			"change": _incremental([
				_op("DELETE", "retention.ms", null),
				_op("SET", "segment.ms", "2"),
				_op("APPEND", "cleanup.policy", "compact"),
			]),
			"implicitlyDeleted": [],
		},
		"full": {
			"change": {"mode": "full", "entries": {"segment.ms": "2", "cleanup.policy": "delete,compact", "retention.ms": null}},
			"implicitlyDeleted": [],
		},
		"resolved": {
			"change": {
				"mode": "resolved",
				"before": _before,
				"after": {"segment.ms": "2", "cleanup.policy": "delete,compact"},
			},
			"implicitlyDeleted": [],
		},
	}
	change := configs.change with input as {"resourceType": "TOPIC", "resourceName": "t", "before": _before, "change": tc.change}
	change == {
		"before": _before,
		"after": {"segment.ms": "2", "cleanup.policy": "delete,compact"},
		"explicit": {"retention.ms": null, "segment.ms": "2", "cleanup.policy": "delete,compact"},
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

test_a_resolved_change_knows_what_was_before if {
	resolved := {"mode": "resolved", "before": {"segment.ms": "2"}, "after": {}}
	change := configs.change with input as {"before": _before, "change": resolved}
	change == {
		"before": {"segment.ms": "2"},
		"after": {},
		"explicit": {"segment.ms": null},
		"implicitlyDeleted": [],
		"errors": [],
	}
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

_null(names) := {"code": 42, "name": "INVALID_REQUEST", "message": concat("", ["Null value not supported for : ", names])}

_doubled := {"code": 42, "name": "INVALID_REQUEST", "message": "Error due to duplicate config keys"}

test_errors[note] if {
	some note, tc in {
		"APPEND to a number": {"ops": [_op("APPEND", "retention.ms", "1")], "errors": [_not_a_list("APPEND", "retention.ms")]},
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
			"errors": [_null("retention.ms, segment.ms")],
		},
		"DELETE of null": {"ops": [_op("DELETE", "retention.ms", null)], "errors": []},
		"the same key twice": {
			"ops": [_op("SET", "retention.ms", "1"), _op("DELETE", "retention.ms", null)],
			"errors": [_doubled],
		},
		"the same key three times": {
			"ops": [_op("SET", "retention.ms", "1"), _op("SET", "retention.ms", "1"), _op("SET", "retention.ms", "1")],
			"errors": [_doubled],
		},
		"two keys": {"ops": [_op("SET", "retention.ms", "1"), _op("SET", "segment.ms", "1")], "errors": []},
		"all at once, none hidden": {
			"ops": [_op("APPEND", "retention.ms", "1"), _op("SET", "segment.ms", null), _op("DELETE", "segment.ms", null)],
			"errors": [_not_a_list("APPEND", "retention.ms"), _doubled, _null("segment.ms")],
		},
	}
	change := configs.change with input as {"change": _incremental(tc.ops)}
	tc.errors == change.errors
}
