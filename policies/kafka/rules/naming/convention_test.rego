package kafka.rules.naming_test

import data.kafka.rules.naming as family

_convention := {"pattern": "^[a-z]+\\.[a-z]+$", "exemptPrefixes": ["__", "sys-"]}

_name_input(operation, name, params) := {"operation": operation, "params": {"KFK-NAM-001": params}, "topic": name}

_off_convention(name) := {
	"rule": "KFK-NAM-001",
	"severity": "medium",
	"message": sprintf("topic name \"%s\" does not match the convention ^[a-z]+\\.[a-z]+$", [name]),
	"fix": "choose a name that matches ^[a-z]+\\.[a-z]+$; a name cannot be changed after creation",
	"path": ["topic"],
	"patch": [],
}

test_convention[name] if {
	some name, matches in {
		"shop.orders": true,
		"shop.orders.v1": false,
		"Shop.orders": false,
		"shop-orders": false,
		"": false,
		"__consumer_offsets": true,
		"_consumer_offsets": false,
		"sys-": true,
		"a.sys-x": false,
		"shop.{pattern}": false,
	}
	expected := {_off_convention(name) | not matches}
	deny := family.deny with input as _name_input("CreateTopic", name, _convention)
	expected == deny
}

test_convention_that_is_not_anchored_looks_anywhere if {
	deny := family.deny with input as _name_input("CreateTopic", "x-orders-y", {"pattern": "orders", "exemptPrefixes": []})
	deny == set()
}
