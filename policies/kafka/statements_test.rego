package kafka_test

import data.kafka

_statements(items) := {"principal": {"type": "User", "name": "alice"}, "enforcementPoint": "service", "items": items}

_statement(fields) := object.union(object.remove(_statements({}), ["items"]), fields)

test_statements_that_are_refused[note] if {
	some note, [document, sentence] in {
		"a time": [_statement({"now": "2020-01-01T00:00:00Z"}), "now: leave it out: OPA's clock counts"],
		"somebody else": [
			_statement({"principal": {"type": "User", "name": "bob"}}),
			`principal: state {"name":"alice","type":"User"}, which is this token's`,
		],
		"another's client configs": [
			_statement({"operation": "AuditClientConfigs", "request": {"entity": {"user": "bob"}}}),
			"user: with this token only client configs of alice are shown",
		],
		"no object": ["a", "send the input as an object, and `common` and items as objects in it"],
	}
	answer := kafka.statements with input as _statements({"a": _statement({"operation": "AuditTopic"}), "b": document})
	answer == {"refused": {"b": sentence}}
}

test_statements_of_ones_own if {
	document := _statement({"operation": "AuditClientConfigs", "request": {"entity": {"user": "alice"}}})
	answer := kafka.statements with input as _statements({"a": document, "b": _statement({"unknown": ["/request/topic"]})})
	answer == {"refused": {}}
}

_unreadable := "the input is not a JSON object: send {principal, enforcementPoint, items}"

_itemless := "items: not an object of key to decision input"

_missing_field(field) := $"{field}: missing: send what this caller has, or null"

test_statements_that_cannot_be_read[note] if {
	some note, tc in {
		"who": {"input": object.remove(_statements({}), ["principal"]), "errors": [_missing_field("principal")]},
		"where": {
			"input": object.remove(_statements({}), ["enforcementPoint"]),
			"errors": [_missing_field("enforcementPoint")],
		},
		"what": {"input": object.remove(_statements({}), ["items"]), "errors": [_itemless]},
		"a list": {"input": _statements([_statement({"now": "x"})]), "errors": [_itemless]},
		"nothing": {"input": {}, "errors": [_missing_field("enforcementPoint"), _itemless, _missing_field("principal")]},
		"no object": {"input": 5, "errors": [_unreadable]},
	}
	kafka.statements == {"errors": tc.errors} with input as tc.input
}

test_statements_without_an_input if kafka.statements == {"errors": [_unreadable]}

test_statements_of_nobody if {
	nobody := {"principal": null, "enforcementPoint": null, "items": {"a": {"now": "x"}, "b": {}}}
	answer := kafka.statements with input as nobody
	object.keys(answer.refused) == {"a"}
}
