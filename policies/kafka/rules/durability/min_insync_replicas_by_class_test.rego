package kafka.rules.durability_test

import data.kafka.rules.durability as family

_classed(operation, labels, values) := {
	"operation": operation,
	"params": {"KFK-DUR-004": {"labelKey": "dataClass", "byClass": {"*": 2, "open": 1, "ledger": 3}}},
	"labels": labels,
	"effective": {"values": values},
}

_class_floor_violation(actual, limit, class) := {
	"rule": "KFK-DUR-004",
	"severity": "high",
	"message": sprintf("min.insync.replicas %d is below %d, the minimum where dataClass is %s", [actual, limit, class]),
	"fix": sprintf("set min.insync.replicas to %d", [limit]),
	"path": ["configs", "min.insync.replicas"],
	"patch": [{"op": "add", "path": "/configs/min.insync.replicas", "value": format_int(limit, 10)}],
}

test_class_floor[note] if {
	some note, tc in {
		"one below": {"labels": {"dataClass": "ledger"}, "actual": 2, "deny": {_class_floor_violation(2, 3, "ledger")}},
		"on it": {"labels": {"dataClass": "ledger"}, "actual": 3, "deny": set()},
		"a lower floor": {"labels": {"dataClass": "open"}, "actual": 1, "deny": set()},
		"another class, below": {"labels": {"dataClass": "x"}, "actual": 1, "deny": {_class_floor_violation(1, 2, "x")}},
		"another class, on it": {"labels": {"dataClass": "x"}, "actual": 2, "deny": set()},
		"classes are exact": {"labels": {"dataClass": "Open"}, "actual": 1, "deny": {_class_floor_violation(1, 2, "Open")}},
		"no class": {"labels": {"owner": "open"}, "actual": 1, "deny": {_class_floor_violation(1, 2, "missing")}},
		"null": {"labels": {"dataClass": null}, "actual": 1, "deny": {_class_floor_violation(1, 2, "missing")}},
		"blank": {"labels": {"dataClass": " "}, "actual": 1, "deny": {_class_floor_violation(1, 2, "missing")}},
		"blanks around": {"labels": {"dataClass": "ledger "}, "actual": 2, "deny": {_class_floor_violation(2, 3, "ledger")}},
	}
	deny := family.deny with input as _classed("CreateTopic", tc.labels, {"min.insync.replicas": tc.actual})
	tc.deny == deny
}

test_class_floor_without_a_value if {
	deny := family.deny with input as _classed("AuditTopic", {"dataClass": "open"}, {})
	deny == {_class_floor_violation(0, 1, "open")}
}
