package kafka.rules.retention_test

import data.kafka.rules.retention as family

_class_input(operation, labels, values) := {
	"operation": operation,
	"params": {"KFK-RET-003": {"labelKey": "dataClass", "byClass": {"*": 1000, "personal": 100, "open": 5000}}},
	"labels": labels,
	"effective": {"values": values},
}

_delete_after(milliseconds) := {"cleanup.policy": ["delete"], "retention.ms": milliseconds}

_class_ceiling(kept, limit, class, further) := {
	"rule": "KFK-RET-003",
	"severity": "critical",
	"message": sprintf("records are kept %s, longer than the %d ms allowed where dataClass is %s", [kept, limit, class]),
	"fix": concat("", [sprintf("set retention.ms to %d", [limit]), _fix_ending[further]]),
	"path": ["configs", "retention.ms"],
	"patch": array.concat(
		[{"op": "add", "path": "/configs/retention.ms", "value": format_int(limit, 10)}],
		further,
	),
}

_and_delete := [{"op": "add", "path": "/configs/cleanup.policy", "value": "delete"}]

_fix_ending := {[]: "", _and_delete: " and cleanup.policy to delete"}

_personal := {"dataClass": "personal"}

test_class_ceiling[note] if {
	some note, tc in {
		"on it": {"labels": _personal, "values": _delete_after(100), "deny": set()},
		"one above": {
			"labels": _personal,
			"values": _delete_after(101),
			"deny": {_class_ceiling("101 ms", 100, "personal", [])},
		},
		"for ever": {
			"labels": _personal,
			"values": _delete_after(-1),
			"deny": {_class_ceiling("for ever", 100, "personal", [])},
		},
		"for ever, in a state that no broker has written": {
			"labels": _personal,
			"values": _delete_after(-7),
			"deny": {_class_ceiling("for ever", 100, "personal", [])},
		},
		"nothing is kept": {"labels": _personal, "values": _delete_after(0), "deny": set()},
		"a higher ceiling": {"labels": {"dataClass": "open"}, "values": _delete_after(5000), "deny": set()},
		"another class, on it": {"labels": {"dataClass": "x"}, "values": _delete_after(1000), "deny": set()},
		"another class, above": {
			"labels": {"dataClass": "x"},
			"values": _delete_after(1001),
			"deny": {_class_ceiling("1001 ms", 1000, "x", [])},
		},
		"no class": {"labels": {}, "values": _delete_after(1001), "deny": {_class_ceiling("1001 ms", 1000, "missing", [])}},
		"null": {
			"labels": {"dataClass": null},
			"values": _delete_after(1001),
			"deny": {_class_ceiling("1001 ms", 1000, "missing", [])},
		},
		"blank": {
			"labels": {"dataClass": " "},
			"values": _delete_after(1001),
			"deny": {_class_ceiling("1001 ms", 1000, "missing", [])},
		},
		"blanks around": {
			"labels": {"dataClass": "personal "},
			"values": _delete_after(101),
			"deny": {_class_ceiling("101 ms", 100, "personal", [])},
		},
		"compacted and deleted": {
			"labels": _personal,
			"values": {"cleanup.policy": ["compact", "delete"], "retention.ms": 101},
			"deny": {_class_ceiling("101 ms", 100, "personal", [])},
		},
		"compacted only": {
			"labels": _personal,
			"values": {"cleanup.policy": ["compact"], "retention.ms": 101},
			"deny": set(),
		},
		"neither": {
			"labels": _personal,
			"values": {"cleanup.policy": [], "retention.ms": 1},
			"deny": {_class_ceiling("for ever", 100, "personal", _and_delete)},
		},
		"policy not known": {
			"labels": _personal,
			"values": {"retention.ms": 1},
			"deny": {_class_ceiling("for ever", 100, "personal", _and_delete)},
		},
		"retention not known": {
			"labels": _personal,
			"values": {"cleanup.policy": ["delete"]},
			"deny": {_class_ceiling("for ever", 100, "personal", [])},
		},
	}
	deny := family.deny with input as _class_input("CreateTopic", tc.labels, tc.values)
	tc.deny == deny
}
