package checks.rules_test

import data.checks.rules

_file := "kafka/rules/durability/copies.rego"

_router := "kafka/rules/rules.rego"

_source := `package kafka.rules.durability

deny contains found if {
	input.operation in {"CreateTopic", "AuditTopic"}
	params := input.params["KFK-DUR-009"]
	actual := input.requested.replicationFactor
	actual < params.min - 1
	found := violation.new(rego.metadata.rule(), {"actual": actual, "least": _least(params)}, [], [])
}

_least(params) := params.min
`

_annotations := {
	"title": "Copies",
	"description": "Why.",
	"scope": "rule",
	"custom": {
		"id": "KFK-DUR-009",
		"severity": "high",
		"operations": ["CreateTopic", "AuditTopic"],
		"params": {"min": {"type": "integer", "minimum": 1, "description": "Least number."}},
		"message": "{actual} is {direction} of {least}",
		"fix": "use {limit}",
	},
}

_path(names) := [{"type": "string", "value": name} | some name in names]

_entry(file, row, annotations) := {
	"annotations": annotations,
	"location": {"file": file, "row": row, "col": 1},
	"path": _path(["data", "kafka", "rules", "durability", "deny"]),
}

_package_entry := {
	"annotations": {"title": "Durability", "scope": "package"},
	"location": {"file": _file, "row": 1, "col": 1},
	"path": _path(["data", "kafka", "rules", "durability"]),
}

# `rego.parse_module` leaves out locations: only the rule `deny` has one here, the line that its METADATA is about.
_module(file, source) := object.union(module, {"rules": [_located(rule, i) | some i, rule in module.rules]}) if {
	module := rego.parse_module(file, source)
}

_located(rule, i) := object.union(rule, {"location": {"row": 3 + i}})

_router_entry := {
	"annotations": {"title": "Rules", "scope": "package"},
	"location": {"file": _router, "row": 1, "col": 1},
	"path": _path(["data", "kafka", "rules"]),
}

_good := {
	"modules": {
		_file: _module(_file, _source),
		_router: rego.parse_module(_router, "package kafka.rules\n\n_all := durability.deny"),
	},
	"annotations": [_package_entry, _router_entry, _entry(_file, 3, _annotations)],
	"settings": {"rules": {"KFK-DUR-009": {"mode": "deny", "params": {"min": 3}}}},
	"controls": {"SOC2": {"title": "SOC 2", "form": `^A1\.[1-3]$`, "controls": {"A1.2": {"title": "Redundancy"}}}},
}

_messages(document) := result if {
	found := rules.problems with input as document
	result := {problem.message | some problem in found}
}

_with_source(source) := object.union(_good, {"modules": {_file: _module(_file, source)}})

_with_annotations(patches) := object.union(_good, {"annotations": [
	_package_entry,
	_router_entry,
	_entry(_file, 3, json.patch(_annotations, patches)),
]})

test_a_good_rule_has_no_problem if {
	problems := rules.problems with input as _good
	problems == set()
}

test_a_problem_has_its_place if {
	problems := rules.problems with input as _with_annotations([{"op": "remove", "path": "/custom/fix"}])
	problems == {{"file": _file, "row": 3, "message": "METADATA, custom: fix is required"}}
}

# What a proposal of settings counts it reads from there.
test_a_direction_needs_a_message_with_the_value[note] if {
	needed := concat("", [
		"METADATA, custom.params.min: a direction needs a message with {actual}, ",
		"no other place before it, and the same words in each case",
	])
	some note, tc in {
		"another place before it": {"message": "{least} is above {actual}", "wrong": {needed}},
		"one message": {"message": "it, {actual}, is below {least}", "wrong": set()},
		"the same words": {"messages": {"below": "it is {actual}", "KFK-DUR-009": "it is {actual}, not set"}, "wrong": set()},
		"other words": {"messages": {"below": "it is {actual}", "KFK-DUR-009": "set is {actual}"}, "wrong": {needed}},
		"a case without it": {"messages": {"below": "it is {actual}", "KFK-DUR-009": "it is not set"}, "wrong": {needed}},
	}
	texts := [{"op": "add", "path": $"/custom/{field}", "value": tc[field]} |
		some field in ["message", "messages"]
		tc[field]
	]
	found := _messages(_with_annotations(array.concat(
		[
			{"op": "remove", "path": "/custom/message"},
			{"op": "add", "path": "/custom/params/min/direction", "value": "least"},
		],
		texts,
	)))
	tc.wrong == {message | some message in found; contains(message, "a direction")}
}

test_metadata[note] if {
	some note, tc in {
		"no title": {"patch": {"op": "remove", "path": "/title"}, "message": "METADATA, (Root): title is required"},
		"no description": {
			"patch": {"op": "remove", "path": "/description"},
			"message": "METADATA, (Root): description is required",
		},
		"empty title": {
			"patch": {"op": "replace", "path": "/title", "value": ""},
			"message": "METADATA, title: String length must be greater than or equal to 1",
		},
		"severity": {
			"patch": {"op": "replace", "path": "/custom/severity", "value": "HIGH"},
			"message": concat("", [
				"METADATA, custom.severity: custom.severity must be one of the following: ",
				"\"critical\", \"high\", \"medium\", \"low\", \"info\"",
			]),
		},
		"an unknown control": {
			"patch": {"op": "add", "path": "/custom/controls", "value": ["SOC2 A1.2", "SOC2 A1.3"]},
			"message": "METADATA, custom.controls: SOC2 A1.3: the table of SOC2 has no A1.3",
		},
		"no severity": {
			"patch": {"op": "remove", "path": "/custom/severity"},
			"message": "METADATA, custom: severity is required",
		},
		"no message": {
			"patch": {"op": "remove", "path": "/custom/message"},
			"message": "METADATA, custom: message is required",
		},
		"field of its own": {
			"patch": {"op": "add", "path": "/custom/owner", "value": "x"},
			"message": "METADATA, custom: Additional property owner is not allowed",
		},
		"parameter without description": {
			"patch": {"op": "remove", "path": "/custom/params/min/description"},
			"message": "METADATA, custom.params.min: description is required",
		},
		"parameter without type": {
			"patch": {"op": "remove", "path": "/custom/params/min/type"},
			"message": "METADATA, custom.params.min: type is required",
		},
		"place that nothing fills": {
			"patch": {"op": "replace", "path": "/custom/fix", "value": "use {least} or {most}"},
			"message": "METADATA, custom.fix: nothing fills {most}",
		},
		"place without a name": {
			"patch": {"op": "replace", "path": "/custom/message", "value": "{}"},
			"message": "METADATA, custom.message: nothing fills {}",
		},
		"direction that is none": {
			"patch": {"op": "add", "path": "/custom/params/min/direction", "value": "up"},
			"message": concat("", [
				"METADATA, custom.params.min.direction: custom.params.min.direction must be one of the following: ",
				"\"least\", \"greatest\"",
			]),
		},
		"operations that the body does not ask for": {
			"patch": {"op": "add", "path": "/custom/operations/-", "value": "AlterTopic"},
			"message": "the METADATA names other operations than the first statement: AuditTopic, CreateTopic",
		},
		"fewer operations than the body asks for": {
			"patch": {"op": "remove", "path": "/custom/operations/0"},
			"message": "the METADATA names other operations than the first statement: AuditTopic, CreateTopic",
		},
	}
	{tc.message} == _messages(_with_annotations([tc.patch]))
}

test_parameters_are_json_schemas if {
	document := _with_annotations([{"op": "replace", "path": "/custom/params/min/type", "value": "whole number"}])
	some message in _messages(document)
	startswith(message, "METADATA, custom.params.min: not a JSON schema: ")
}

test_unknown_operation if {
	document := _with_annotations([{"op": "replace", "path": "/custom/operations/0", "value": "DropTopic"}])
	some message in _messages(document)
	field := "custom.operations.0"
	startswith(message, $"METADATA, {field}: {field} must be one of the following: \"AddRaftVoter\"")
}

test_id[id] if {
	some id, good in {
		"KFK-DUR-009": true,
		"KFK-DUR-9": false,
		"KFK-DUR-0090": false,
		"KFK-DURA-009": false,
		"kfk-dur-009": false,
		"XKFK-DUR-009": false,
	}
	document := object.union(
		object.remove(_with_annotations([{"op": "replace", "path": "/custom/id", "value": id}]), ["settings"]),
		{"settings": {"rules": {id: {"params": {"min": 1}}}}},
	)
	_messages(document) == {"METADATA, custom.id: Does not match pattern '^KFK-[A-Z]{3}-[0-9]{3}$'" | not good}
}

test_an_id_is_given_once if {
	other := "kafka/rules/durability/other.rego"
	document := object.union(_good, {
		"modules": {other: _module(other, _source)},
		"annotations": array.concat(_good.annotations, [_entry(other, 3, _annotations)]),
	})
	problems := rules.problems with input as document
	problems == {
		{"file": _file, "row": 3, "message": $"KFK-DUR-009 is the id of the rule in {other} too"},
		{"file": other, "row": 3, "message": $"KFK-DUR-009 is the id of the rule in {_file} too"},
	}
}

test_a_retired_id_is_not_given_again[note] if {
	some note, tc in {
		"retired": {"retired": ["KFK-DUR-009"], "messages": {"KFK-DUR-009 is retired: take the next free number"}},
		"its neighbour": {"retired": ["KFK-DUR-008", "KFK-DUR-010"], "messages": set()},
	}
	messages := _messages(_good) with rules.retired as tc.retired
	tc.messages == messages
}

test_settings[note] if {
	some note, tc in {
		"lack the rule": {"rules": {}, "messages": {"KFK-DUR-009 is not in the settings that ship"}},
		"lack a parameter": {
			"rules": {"KFK-DUR-009": {"params": {}}},
			"messages": {"the settings that ship lack KFK-DUR-009's parameter min"},
		},
		"have a parameter too many": {
			"rules": {"KFK-DUR-009": {"params": {"min": 1, "max": 2}}},
			"messages": {"the settings that ship give KFK-DUR-009 the parameter max, which it lacks"},
		},
		"have a rule too many": {
			"rules": {"KFK-DUR-009": {"params": {"min": 1}}, "KFK-DUR-010": {"params": {}}},
			"messages": {"KFK-DUR-010 is a rule that no file holds"},
		},
	}
	tc.messages == _messages(object.union(object.remove(_good, ["settings"]), {"settings": {"rules": tc.rules}}))
}
