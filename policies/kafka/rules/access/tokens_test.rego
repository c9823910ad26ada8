package kafka.rules.access_test

import data.kafka.rules.access as family

_long_lived(message, field) := {
	"rule": "KFK-ACL-005",
	"severity": "high",
	"message": $"{message} of 1000 ms",
	"fix": "ask for at most 1000 ms",
	"path": [field],
	"patch": [],
}

_token(operation, request, lifetime) := deny if {
	deny := family.deny with input as {
		"operation": operation,
		"params": {"KFK-ACL-005": {"max": 1000, "default": lifetime}},
		"request": request,
	}
}

test_lifetimes[note] if {
	unnamed := "a token that names no lifetime lives 1001 ms, above the maximum"
	some note, tc in {
		"on the maximum": {"lifetime": 1000, "default": 1001, "message": ""},
		"one above": {"lifetime": 1001, "default": 1, "message": "a token that lives 1001 ms is above the maximum"},
		"none, and the brokers' is short": {"lifetime": -1, "default": 1000, "message": ""},
		"none, and the brokers' is long": {"lifetime": -1, "default": 1001, "message": unnamed},
		"zero, which is none": {"lifetime": 0, "default": 1001, "message": unnamed},
		"the shortest": {"lifetime": 1, "default": 1001, "message": ""},
	}
	expected := {_long_lived(tc.message, "maxLifetimeMs") | tc.message != ""}
	expected == _token("CreateDelegationToken", {"maxLifetimeMs": tc.lifetime}, tc["default"])
}

test_periods[note] if {
	some note, tc in {
		"on the maximum": {"period": 1000, "denied": false},
		"one above": {"period": 1001, "denied": true},
		"at once, or the brokers' own": {"period": -1, "denied": false},
		"none": {"period": 0, "denied": false},
	}
	some operation, field in {
		"RenewDelegationToken": "renewPeriodMs",
		"ExpireDelegationToken": "expiryTimePeriodMs",
	}
	expected := {_long_lived("a token that ends in 1001 ms is above the maximum", field) | tc.denied}
	expected == _token(operation, {field: tc.period}, 5000)
}

test_every_operation_on_tokens[operation] if {
	some operation, field in {
		"CreateDelegationToken": "maxLifetimeMs",
		"ExpireDelegationToken": "expiryTimePeriodMs",
		"RenewDelegationToken": "renewPeriodMs",
	}
	deny := family.deny with input as {
		"operation": operation,
		"params": {"KFK-ACL-005": {"max": 5, "default": 9}},
		"request": {field: 6},
	}
	[[field]] == [violation.path | some violation in deny]
}
