package system.authz_test

import data.system.authz

_clock := "now: leave it out: OPA's clock counts"

_state := "clusterState: leave it out: what is replicated counts"

_asker := `principal: state {"name":"portal","type":"User"}, which is this token's`

_place := `enforcementPoint: state "service", which is this token's`

_form := "send the input as an object, and `common` and items as objects in it"

_others := "user: with this token only client configs of portal are shown"

# Each statement by itself, and the sentence that refuses it.
_lies := {
	"a time": [{"now": "2000-01-01T00:00:00Z"}, _clock],
	"a time that is null": [{"now": null}, _clock],
	"a state": [{"clusterState": {"totals": {}}}, _state],
	"a state of another cluster": [{"clusters": {}}, "clusters: leave it out: what is replicated counts"],
	"a broker": [{"brokerId": "1"}, "brokerId: leave it out: no broker asks with this token"],
	"two things": [{"now": "x", "clusterState": {}}, _state],
	"another principal": [{"principal": {"type": "User", "name": "alice"}}, _asker],
	"a principal that is not an object": [{"principal": "User:portal"}, _asker],
	"a group of that name": [{"principal": {"type": "Group", "name": "portal"}}, _asker],
	"a host": [{"principal": {"type": "User", "name": "portal", "host": "10.0.0.1"}}, _asker],
	"another enforcement point": [{"enforcementPoint": "ci"}, _place],
	"a state that is unknown": [
		{"unknown": ["/request/topic", "/clusterState/totals"]},
		"unknown: leave out what is not below /request: what is replicated counts",
	],
	"a pointer that begins like one": [
		{"unknown": ["/requests"]},
		"unknown: leave out what is not below /request: what is replicated counts",
	],
	"what was before": [
		{"request": {"configs": {"mode": "resolved", "before": {}, "after": {}}}},
		"configs.before: send an incremental or full change: what is replicated was before",
	],
	"labels that a topic does not have": [
		{"operation": "AlterTopic", "request": {"topic": "a", "labels": {"approved": "yes"}}},
		"labels: leave them out: those that are replicated count",
	],
	"an alteration of another's client configs": [
		{"operation": "AlterClientConfigs", "request": {"entity": {"user": "alice"}}},
		_others,
	],
	"an audit of another's client configs": [
		{"operation": "AuditClientConfigs", "request": {"entity": {"user": "alice"}}},
		_others,
	],
	"an audit of everybody's": [{"operation": "AuditClientConfigs", "request": {"entity": {"user": null}}}, _others],
	"an audit of nobody's": [{"operation": "AuditClientConfigs", "request": {}}, _others],
}

_honest := object.union(_identity, {"operation": "AuditTopic", "request": {"topic": "a"}})

test_a_lie_is_refused_with_what_to_write[note] if {
	some note, [lie, sentence] in _lies
	expected := _statement_denial("portal", sentence)
	_answer(_requesting("kafka/decision", "portal", object.union(_honest, lie))) == expected

	# Of a batch: in an item, or shared by all.
	_answer(_requesting("kafka/decisions", "portal", {"common": _identity, "items": {"a": _honest, "b": lie}})) == expected
	shared := object.union(_honest, lie)
	_answer(_requesting("kafka/decisions", "portal", {"common": shared, "items": {"a": {}}})) == expected
	_answer(_requesting("kafka/decisions", "portal", {"common": _identity, "items": [lie]})) == expected
	_answer(_requesting("kafka/audit_parts/names", "portal", {"common": shared, "topics": {}})) == expected
}

test_what_is_under_way_is_no_callers_to_say if {
	batch := {"common": _identity, "items": {"a": _honest}, "order": ["a"], "changes": {}}
	expected := _statement_denial("portal", "changes: leave it out: what is replicated counts")
	_answer(_requesting("kafka/decisions", "portal", batch)) == expected
	pending := object.union(_honest, {"pending": {"/totals/replicas": -9}})
	refused := _statement_denial("portal", "pending: leave it out: what is replicated counts")
	_answer(_requesting("kafka/decision", "portal", pending)) == refused
	_answer(_requesting("kafka/decisions", "portal", {"items": {"a": _honest, "b": pending}})) == refused
}

test_what_is_missing_is_no_statement_of_ones_own[note] if {
	some note, [field, sentence] in {"principal": ["principal", _asker], "point": ["enforcementPoint", _place]}
	less := object.remove(_honest, [field])
	expected := _statement_denial("portal", sentence)
	_answer(_requesting("kafka/decision", "portal", less)) == expected
	_answer(_requesting("kafka/decisions", "portal", {"items": {"a": _honest, "b": less}})) == expected
	_answer(_requesting("kafka/audit_parts/names", "portal", {"common": less, "topics": {}})) == expected
}

test_an_input_of_another_form_is_refused[note] if {
	some note, [path, document] in {
		"null": ["kafka/decision", null],
		"a list": ["kafka/decision", [_honest]],
		"common in words": ["kafka/decisions", {"common": "a", "items": {"a": _honest}}],
		"an item in words": ["kafka/decisions", {"common": _identity, "items": {"a": "b"}}],
		"common of names in words": ["kafka/audit_parts/names", {"common": [], "topics": {}}],
	}
	_answer(_requesting(path, "portal", document)) == _statement_denial("portal", _form)
}

test_no_input_is_refused_or_asks_nothing[note] if {
	some note, [path, body, allowed] in {
		"no body": ["kafka/decision", {}, false],
		"a body without input": ["kafka/decision", {"body": {}}, false],
		"a body that is a list": ["kafka/decision", {"body": [1]}, false],
		"names": ["kafka/audit_parts/names", {}, false],
		"client configs": ["kafka/client_configs/effective", {}, false],
		"client configs of a list": ["kafka/client_configs/effective", {"body": {"input": []}}, false],
		"rules": ["kafka/applicable_rules", {}, false],
		"no items": ["kafka/decisions", {"body": {"input": {}}}, true],
		"a batch that is a list": ["kafka/decisions", {"body": {"input": []}}, true],
	}
	request := object.union(_request("POST", concat("/", ["v1/data", path]), "portal"), body)
	_answer(request).allowed == allowed
}

test_what_is_the_callers_own_to_state[note] if {
	some note, fields in {
		"its request": {"request": {"topic": "b", "configs": {"mode": "full", "entries": {}}}},
		"what it does not know of it": {"unknown": ["/request", "/request/numPartitions"]},
		"its own client configs": {"operation": "AuditClientConfigs", "request": {"entity": {"user": "portal"}}},
		"that it only asks": {"validateOnly": true},
		"labels of a new topic": {"operation": "CreateTopic", "request": {"topic": "b", "labels": {"owner": "shop"}}},
		"what was before, in a change that has no such field": {"request": {"configs": {"mode": "full", "before": {}}}},
		"a config of that name": {"request": {"configs": {"mode": "resolved", "before": "x"}}},
	}
	_answer(_requesting("kafka/decision", "portal", object.union(_honest, fields))) == {"allowed": true}
}

test_other_entry_points_believe_as_little[note] if {
	some note, [path, document, sentence] in {
		"rules of another point": ["kafka/applicable_rules", {"enforcementPoint": "ci"}, _place],
		"rules of no point": ["kafka/applicable_rules", {"cluster": "a"}, _place],
		"another's configs": ["kafka/client_configs/effective", {"cluster": "a", "user": "alice"}, _others],
		"nobody's configs": ["kafka/client_configs/effective", {"cluster": "a"}, _others],
		"configs as stated": ["kafka/client_configs/effective", {"user": "portal", "clusterState": {}}, _state],
	}
	_answer(_requesting(path, "portal", document)) == _statement_denial("portal", sentence)
}

test_a_caller_of_no_enforcement_point_states_none if {
	document := object.remove(_honest, ["enforcementPoint"])
	_answer(_requesting("kafka/decision", "team", document)) == {"allowed": true}
	point := object.union(document, {"enforcementPoint": "ci"})
	sentence := "enforcementPoint: leave it out: this token has none"
	_answer(_requesting("kafka/decision", "team", point)) == _statement_denial("team", sentence)
}

# Another type of principal has no client configs of its own.
test_client_configs_are_of_users if {
	group := object.union(_portal, {"principal": {"type": "Group", "name": "portal"}})
	own := {"cluster": "a", "user": "portal"}
	authz.allow.allowed == false with input as _requesting("kafka/client_configs/effective", "portal", own)
		with opa.runtime as _runtime
		with data.settings.compiled.callers as {"tokens": {crypto.sha256("portal"): group}, "issuers": {}}
}
