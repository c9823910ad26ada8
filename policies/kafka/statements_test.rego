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

test_statements_of_nobody_are_not_looked_at[note] if {
	some note, less in {"who": ["principal"], "where": ["enforcementPoint"], "what": ["items"]}
	not kafka.statements with input as object.remove(_statements({}), less)
}

test_statements_that_are_a_list if {
	not kafka.statements with input as _statements([_statement({"now": "x"})])
}
