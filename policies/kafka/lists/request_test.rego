package kafka.lists_test

import data.kafka.lists

_base := {"component": "topic", "name": "cleanup.policy", "value": "delete", "mode": "parse"}

_free := {"name": "k", "value": ["a"], "mode": "ensureValid"}

_any := {"kind": "anyNonDuplicateValues", "isEmptyAllowed": true, "isNullAllowed": true}

# Whatever the input is, there is a result, and one that names the field at fault.
test_malformed[note] if {
	some note, tc in {
		"a string": {"ask": "x", "errors": ["the input is not an object: send {component, name, value, mode}"]},
		"null": {"ask": null, "errors": ["the input is not an object: send {component, name, value, mode}"]},
		"a list": {"ask": [], "errors": ["the input is not an object: send {component, name, value, mode}"]},
		"nothing in it": {
			"ask": {},
			"errors": [
				"component: name a component, or send a validator in its place",
				"mode: null is not one of ensureValid, parse, validate",
				"name: name the configuration",
			],
		},
		"unknown field": {
			"ask": object.union(_base, {"values": []}),
			"errors": ["values: unknown field; known are component, configs, mode, name, validator, value"],
		},
		"unknown mode": {
			"ask": object.union(_base, {"mode": "Parse"}),
			"errors": ["mode: \"Parse\" is not one of ensureValid, parse, validate"],
		},
		"unknown configuration": {
			"ask": object.union(_base, {"name": "cleanup.polic"}),
			"errors": ["name: cleanup.polic is not a list-typed configuration of topic"],
		},
		"no name": {"ask": object.union(_base, {"name": 7}), "errors": ["name: name the configuration"]},
		"a value in the list is none": {
			"ask": object.union(_base, {"value": ["delete", 7]}),
			"errors": ["value[1]: not a string"],
		},
		"a value that is an object": {
			"ask": object.union(_base, {"value": {"a": 7}}),
			"errors": ["Invalid value {\"a\":7} for configuration cleanup.policy: Expected a comma separated list."],
		},
		"a component and a validator": {
			"ask": object.union(_base, {"validator": _any}),
			"errors": ["validator: it stands in place of component; leave one of the two out"],
		},
		"configs and a value": {
			"ask": object.union(_base, {"configs": {}}),
			"errors": [
				"configs: it stands in place of name and value; leave them out, or leave configs out",
			],
		},
		"configs are none": {
			"ask": {"component": "topic", "mode": "parse", "configs": false},
			"errors": ["configs: not an object of name to value"],
		},
		"configs for a validator": {
			"ask": {"validator": _any, "mode": "parse", "configs": {}},
			"errors": ["configs: a validator is for one value: send name and value"],
		},
		"a validator that is none": {
			"ask": object.union(_free, {"validator": false}),
			"errors": ["validator: not an object {kind, isEmptyAllowed, isNullAllowed, validStrings}"],
		},
		"an empty validator": {
			"ask": object.union(_free, {"validator": {}}),
			"errors": [
				"validator.isEmptyAllowed: say true or false",
				"validator.kind: not one of in, anyNonDuplicateValues",
			],
		},
		"a validator of another kind": {
			"ask": object.union(_free, {"validator": {"kind": "any", "isEmptyAllowed": 1, "isNullAllowed": 0, "valid": []}}),
			"errors": [
				"validator.isEmptyAllowed: say true or false",
				"validator.isNullAllowed: say true or false",
				"validator.kind: not one of in, anyNonDuplicateValues",
				"validator.valid: unknown field; known are isEmptyAllowed, isNullAllowed, kind, validStrings",
			],
		},
		"in with null": {
			"ask": object.union(_free, {"validator": {
				"kind": "in",
				"isEmptyAllowed": true,
				"isNullAllowed": true,
				"validStrings": ["a"],
			}}),
			"errors": ["validator.isNullAllowed: `in` never allows null"],
		},
		"in of nothing": {
			"ask": object.union(_free, {"validator": {"kind": "in", "isEmptyAllowed": false}}),
			"errors": [concat(" ", [
				"validator.validStrings: At least one valid string must be provided",
				"when empty values are not allowed",
			])],
		},
		"any of something": {
			"ask": object.union(_free, {"validator": object.union(_any, {"validStrings": ["a"]})}),
			"errors": ["validator.validStrings: anyNonDuplicateValues takes none"],
		},
		"valid strings in an object": {
			"ask": object.union(_free, {"validator": {"kind": "in", "isEmptyAllowed": true, "validStrings": {"a": "b"}}}),
			"errors": ["validator.validStrings: not a list of strings"],
		},
		"valid strings that are none": {
			"ask": object.union(_free, {"validator": {"kind": "in", "isEmptyAllowed": true, "validStrings": [1]}}),
			"errors": ["validator.validStrings: not a list of strings"],
		},
	}
	answer := lists.check with input as tc.ask
	answer == {"valid": false, "values": null, "errors": tc.errors, "warnings": []}
}

test_unknown_components[note] if {
	some note, component in {"nothing like one": "zzz", "null": null, "false": false, "a number": 7}
	answer := lists.check with input as object.union(_base, {"component": component})
	[error] := answer.errors
	answer == {"valid": false, "values": null, "errors": [error], "warnings": []}
	startswith(error, $"component: {json.marshal(component)} is not known; known are admin, broker, ")
}

test_misspelt_components[note] if {
	some note, tc in {
		"a letter more": {"component": "brokers", "near": "broker"},
		"a letter less": {"component": "brokr", "near": "broker"},
	}
	answer := lists.check with input as object.union(_base, {"component": tc.component})
	[error] := answer.errors
	meant := $"component: \"{tc.component}\" is not known (did you mean {tc.near}?); known are admin, broker, "
	startswith(error, meant)
}

test_no_input if {
	answer := lists.check
	answer == {
		"valid": false,
		"values": null,
		"errors": ["the input is missing: send {component, name, value, mode}"],
		"warnings": [],
	}
}
