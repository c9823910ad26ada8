package kafka.lists_test

import data.kafka.lists

_taken(values) := {"valid": true, "values": values, "errors": [], "warnings": []}

_refusal(errors) := {"valid": false, "values": null, "errors": errors, "warnings": []}

_warned(answer, warnings) := object.union(answer, {"warnings": warnings})

_dropped(name, before, after) := concat("", [
	$"Configuration key \"{name}\" contains duplicate values. Duplicates will be removed. ",
	$"The original value is: [{before}], the updated value is: [{after}]",
])

_check(document) := answer if {
	answer := lists.check with input as document
}

# The three modes, on a key of each kind and with each flag.
test_one_value[note] if {
	some note, tc in {
		"a string": {
			"ask": ["topic", "cleanup.policy", "parse", "delete , compact"],
			"answer": _taken(["delete", "compact"]),
		},
		"an empty one means something": {"ask": ["topic", "cleanup.policy", "parse", " \t"], "answer": _taken([])},
		"an empty one does not": {
			"ask": ["broker", "listeners", "parse", ""],
			"answer": _refusal(["Configuration 'listeners' must not be empty. Valid values include: any non-empty value"]),
		},
		"an empty one, with valid strings": {
			"ask": ["broker", "process.roles", "parse", ""],
			"answer": _refusal(["Configuration 'process.roles' must not be empty. Valid values include: [broker, controller]"]),
		},
		"null": {
			"ask": ["topic", "cleanup.policy", "parse", null],
			"answer": _refusal(["Configuration 'cleanup.policy' values must not be null."]),
		},
		"null where the default is null": {"ask": ["broker", "log.dirs", "parse", null], "answer": _taken(null)},
		"doubled, at start": {
			"ask": ["topic", "cleanup.policy", "parse", "delete,delete"],
			"answer": _warned(_taken(["delete"]), [_dropped("cleanup.policy", "delete, delete", "delete")]),
		},
		"doubled, in Connect's validation": {
			"ask": ["connect", "plugin.path", "validate", "/a,/a"],
			"answer": _refusal(["Configuration 'plugin.path' values must not be duplicated."]),
		},
		"doubled, in the validator": {
			"ask": ["topic", "cleanup.policy", "ensureValid", ["delete", "delete"]],
			"answer": _refusal(["Configuration 'cleanup.policy' values must not be duplicated."]),
		},
		"an empty piece": {
			"ask": ["topic", "cleanup.policy", "parse", "delete,"],
			"answer": _refusal(["Configuration 'cleanup.policy' values must not be empty."]),
		},
		"two empty pieces, at start": {
			"ask": ["broker", "listeners", "parse", ","],
			"answer": _warned(
				_refusal(["Configuration 'listeners' values must not be empty."]),
				[_dropped("listeners", ", ", "")],
			),
		},
		"the doubled before the empty": {
			"ask": ["topic", "cleanup.policy", "ensureValid", ["", ""]],
			"answer": _refusal(["Configuration 'cleanup.policy' values must not be duplicated."]),
		},
		"the unknown before the empty": {
			"ask": ["topic", "cleanup.policy", "ensureValid", ["none", ""]],
			"answer": _refusal(["Invalid value none for configuration cleanup.policy: String must be one of: compact, delete"]),
		},
		"matching is exact": {
			"ask": ["topic", "cleanup.policy", "parse", "Delete"],
			"answer": _refusal([
				"Invalid value Delete for configuration cleanup.policy: String must be one of: compact, delete",
			]),
		},
		"a list is taken as it is": {"ask": ["broker", "log.dirs", "parse", [" /a"]], "answer": _taken([" /a"])},
		"a null in a list": {
			"ask": ["broker", "log.dirs", "ensureValid", ["/a", null]],
			"answer": _refusal([concat(" ", [
				"Configuration 'log.dirs' has a null among its values,",
				"at which Kafka fails with a NullPointerException.",
			])]),
		},
		"nulls doubled": {
			"ask": ["broker", "log.dirs", "parse", [null, null]],
			"answer": _warned(
				_refusal([concat(" ", [
					"Configuration 'log.dirs' has a null among its values,",
					"at which Kafka fails with a NullPointerException.",
				])]),
				[_dropped("log.dirs", "null, null", "null")],
			),
		},
		"a number": {
			"ask": ["topic", "cleanup.policy", "parse", 53],
			"answer": _refusal(["Invalid value 53 for configuration cleanup.policy: Expected a comma separated list."]),
		},
		"a number, in Connect's validation": {
			"ask": ["topic", "cleanup.policy", "validate", 53],
			"answer": _refusal([
				"Invalid value 53 for configuration cleanup.policy: Expected a comma separated list.",
				"Configuration 'cleanup.policy' values must not be null.",
			]),
		},
		"a string, to the validator": {
			"ask": ["topic", "cleanup.policy", "ensureValid", "delete"],
			"answer": _refusal(["value: mode ensureValid takes a list or null for cleanup.policy"]),
		},
		"another validator": {
			"ask": ["broker", "controller.quorum.voters", "parse", "a,a"],
			"answer": object.union(_taken(["a", "a"]), {"notes": [concat(" ", [
				"Configuration 'controller.quorum.voters' was read, not validated:",
				"its validator is ControllerQuorumVotersValidator.",
			])]}),
		},
		"behind a prefix": {
			"ask": ["broker", "listener.name.client.ssl.cipher.suites", "parse", "a,"],
			"answer": _refusal(["Configuration 'ssl.cipher.suites' values must not be empty."]),
		},
	}
	[component, name, mode, value] := tc.ask
	tc.answer == _check({"component": component, "name": name, "mode": mode, "value": value})
}

# A key that is not set has its default, if there is one.
test_not_set[note] if {
	some note, tc in {
		"its default": {"ask": ["topic", "cleanup.policy", "parse"], "answer": _taken(["delete"])},
		"null": {"ask": ["broker", "log.dirs", "parse"], "answer": _taken(null)},
		"nothing": {"ask": ["topic", "cleanup.policy", "ensureValid"], "answer": _refusal([
			"value: mode ensureValid takes a list or null for cleanup.policy",
		])},
		"none": {
			"ask": ["producer", "bootstrap.servers", "parse"],
			"answer": _refusal(["Missing required configuration \"bootstrap.servers\" which has no default value."]),
		},
		"none, in Connect's validation": {
			"ask": ["producer", "bootstrap.servers", "validate"],
			"answer": _refusal([
				"Missing required configuration \"bootstrap.servers\" which has no default value.",
				"Configuration 'bootstrap.servers' values must not be null.",
			]),
		},
	}
	[component, name, mode] := tc.ask
	tc.answer == _check({"component": component, "name": name, "mode": mode})
}

# White space as Java has it: trimming takes every character up to the space, splitting six of them.
test_split[note] if {
	some note, tc in {
		"plain": {"text": "a,b", "list": ["a", "b"]},
		"spaces at commas": {"text": " a\t,\n b ", "list": ["a", "b"]},
		"spaces inside": {"text": "a b", "list": ["a b"]},
		"trailing comma": {"text": "a,", "list": ["a", ""]},
		"commas alone": {"text": ",,", "list": ["", "", ""]},
		"control characters are trimmed": {"text": "\u0001a\u001f", "list": ["a"]},
		"and not split at": {"text": "a\u0001,\u0001b", "list": ["a\u0001", "\u0001b"]},
		"nor is a no-break space": {"text": "\u00a0", "list": ["\u00a0"]},
		"nothing": {"text": "", "list": []},
		"blank": {"text": " \u000b\u0001", "list": []},
	}
	tc.list == lists.split_text(tc.text)
}

test_free_validators[note] if {
	some note, tc in {
		"any": {
			"validator": {"kind": "anyNonDuplicateValues", "isEmptyAllowed": true, "isNullAllowed": true},
			"value": null,
			"answer": _taken(null),
		},
		"in": {
			"validator": {"kind": "in", "isEmptyAllowed": false, "validStrings": ["a"]},
			"value": ["b"],
			"answer": _refusal(["Invalid value b for configuration k: String must be one of: a"]),
		},
		"in, of the empty string too": {
			"validator": {"kind": "in", "isEmptyAllowed": true, "validStrings": ["a", ""]},
			"value": [""],
			"answer": _refusal(["Configuration 'k' values must not be empty."]),
		},
		"in, of all in another order": {
			"validator": {"kind": "in", "isEmptyAllowed": true, "validStrings": ["a", "b"]},
			"value": ["b", "a"],
			"answer": _taken(["b", "a"]),
		},
		"any, but nothing": {
			"validator": {"kind": "anyNonDuplicateValues", "isEmptyAllowed": false, "validStrings": []},
			"value": ["a"],
			"answer": _taken(["a"]),
		},
		"in, of none": {"validator": {"kind": "in", "isEmptyAllowed": true}, "value": ["b"], "answer": _taken(["b"])},
	}
	tc.answer == _check({"validator": tc.validator, "name": "k", "mode": "ensureValid", "value": tc.value})
}

# A whole file: only what is a list, and what would have to be there.
test_configs[note] if {
	some note, tc in {
		"some lists among others": {
			"component": "consumer",
			"mode": "parse",
			"configs": {"bootstrap.servers": "a:1", "acks": ",", "interceptor.classes": ""},
			"answer": {"bootstrap.servers": _taken(["a:1"]), "interceptor.classes": _taken([])},
		},
		"one missing": {
			"component": "consumer",
			"mode": "parse",
			"configs": {},
			"answer": {"bootstrap.servers": _refusal([
				"Missing required configuration \"bootstrap.servers\" which has no default value.",
			])},
		},
		"the validator misses nothing": {"component": "consumer", "mode": "ensureValid", "configs": {}, "answer": {}},
		"a connector": {
			"component": "connector",
			"mode": "validate",
			"configs": {
				"topics": "a",
				"transforms.m.type": "org.apache.kafka.connect.transforms.MaskField$Value",
				"transforms.m.fields": "f",
			},
			"answer": {"topics": _taken(["a"]), "transforms.m.fields": _taken(["f"])},
		},
	}
	tc.answer == _check(object.filter(tc, ["component", "mode", "configs"]))
}

# Each under its own key, what is not a document too.
test_checks if {
	one := {"component": "consumer", "mode": "parse", "configs": {"bootstrap.servers": "a:1"}}
	answers := lists.checks with input as {"items": {"a": one, "b": 3}}
	problem := "the input is not an object: send {component, name, value, mode}"
	answers == {
		"a": {"bootstrap.servers": _taken(["a:1"])},
		"b": {"valid": false, "values": null, "errors": [problem], "warnings": []},
	}
}

# Of a validator that is no ValidList nothing is known but how its value is read.
test_faults[note] if {
	some note, tc in {
		"doubled": {"name": "log.dirs", "kinds": {"duplicate"}},
		"not doubled": {"name": "log.dirs", "value": "a,b", "kinds": set()},
		"doubled, with another validator": {"name": "controller.quorum.voters", "kinds": set()},
	}
	row := data.catalog.lists.components.broker[tc.name]
	tc.kinds == {fault.kind | some fault in lists.faults(row, tc.name, object.get(tc, "value", "a,a"))}
}

# The first of what is the same is kept, wherever the others are.
test_distinct[note] if {
	some note, tc in {
		"nothing": {"list": [], "distinct": []},
		"none twice": {"list": ["b", "a"], "distinct": ["b", "a"]},
		"beside each other": {"list": ["a", "a", "b"], "distinct": ["a", "b"]},
		"apart": {"list": ["a", "b", "a", "c", "b"], "distinct": ["a", "b", "c"]},
	}
	tc.distinct == lists.distinct(tc.list)
}
