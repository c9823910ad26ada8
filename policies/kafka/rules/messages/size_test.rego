package kafka.rules.messages_test

import data.kafka.rules.messages as family

_sized(operation, values, defaults) := {
	"operation": operation,
	"params": {"KFK-MSG-001": {
		"max": 500,
		"anyBroker": 100,
		"checkBroker": ["fetch.max.bytes", "socket.request.max.bytes"],
	}},
	"effective": {"values": values},
	"clusterState": {"defaults": defaults},
}

_size_violation(actual, limit, bound) := {
	"rule": "KFK-MSG-001",
	"severity": "high",
	"message": sprintf("max.message.bytes %d is above %d, %s", [actual, limit, bound]),
	"fix": sprintf("set max.message.bytes to %d or less, and keep larger payloads elsewhere", [limit]),
	"path": ["configs", "max.message.bytes"],
	"patch": [{"op": "add", "path": "/configs/max.message.bytes", "value": format_int(limit, 10)}],
}

test_size[note] if {
	some note, tc in {
		"on the maximum": {"actual": 500, "defaults": {}, "deny": set()},
		"one above": {"actual": 501, "defaults": {}, "deny": {_size_violation(501, 500, "the maximum")}},
		"on a broker's": {"actual": 400, "defaults": {"fetch.max.bytes": "400"}, "deny": set()},
		"one above a broker's": {
			"actual": 401,
			"defaults": {"fetch.max.bytes": "400"},
			"deny": {_size_violation(401, 400, "the brokers' fetch.max.bytes")},
		},
		"the least of all counts": {
			"actual": 600,
			"defaults": {"fetch.max.bytes": "400", "socket.request.max.bytes": "300"},
			"deny": {_size_violation(600, 300, "the brokers' socket.request.max.bytes")},
		},
		"a broker's that is the maximum": {
			"actual": 501,
			"defaults": {"fetch.max.bytes": "500"},
			"deny": {_size_violation(501, 500, "the maximum")},
		},
		"a broker's that is not a number": {"actual": 500, "defaults": {"fetch.max.bytes": "?"}, "deny": set()},
		"any broker takes it": {"actual": 100, "defaults": {"fetch.max.bytes": "1"}, "deny": set()},
		"just more than any broker takes": {
			"actual": 101,
			"defaults": {"fetch.max.bytes": "1"},
			"deny": {_size_violation(101, 1, "the brokers' fetch.max.bytes")},
		},
	}
	deny := family.deny with input as _sized("CreateTopic", {"max.message.bytes": tc.actual}, tc.defaults)
	tc.deny == deny
}

test_size_with_a_maximum_below_what_any_broker_takes if {
	prepared := object.union(
		_sized("CreateTopic", {"max.message.bytes": 51}, {}),
		{"params": {"KFK-MSG-001": {"max": 50}}},
	)
	deny := family.deny with input as prepared
	deny == {_size_violation(51, 50, "the maximum")}
}

test_size_that_is_not_known if {
	deny := family.deny with input as _sized("AuditTopic", {}, {})
	deny == {_size_violation(501, 500, "the maximum")}
}
