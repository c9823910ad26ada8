package checks.settings_test

import data.checks.settings
import data.kafka.operations

_rules := {
	"A": {"params": {
		"min": {"type": "integer", "minimum": 1},
		"max": {"type": "integer", "minimum": 1},
		"pattern": {"type": "string", "format": "regex"},
	}},
	"B": {"params": {}},
}

_schema(complete) := result if {
	result := settings.schema with input as {"rules": _rules, "complete": complete}
}

_fits(document, complete) if {
	json.match_schema(document, _schema(complete))[0] == true
}

test_schema_is_one if {
	json.verify_schema(_schema(true)) == [true, null]
	json.verify_schema(_schema(false)) == [true, null]
}

_whole := {
	"rules": {
		"A": {"mode": "deny", "enforceFrom": "2027-01-01", "params": {"min": 1, "max": 2, "pattern": "^a$"}},
		"B": {"mode": "disabled", "params": {}},
	},
	"clusters": [{"match": {"name": "dev-*"}, "rules": {"A": {"mode": "warn"}}}],
	"enforcementPoints": {"ci": {"B": {"mode": "dryrun"}}},
	"freshness": {
		"default": {"maxAgeSeconds": 300, "maxAheadSeconds": 60, "then": "warn", "whenUnknown": "deny"},
		"operations": {"CreateTopic": {"then": "request"}, "DeleteTopic": {"maxAgeSeconds": 0, "then": "deny"}},
	},
	"waivers": [{
		"id": "W-1", "rule": "A", "cluster": "prod", "topic": "audit.*",
		"owner": "risk", "reason": "hold", "ticket": "T-1", "expires": "2027-03-31",
	}],
}

test_a_whole_document_fits_both if {
	_fits(_whole, true)
	_fits(_whole, false)
}

# Complete settings have everything; settings to lay over them have what they like.
test_a_part_fits_only_as_a_part[note] if {
	some note, patch in {
		"rules": {"op": "remove", "path": "/rules"},
		"clusters": {"op": "remove", "path": "/clusters"},
		"enforcementPoints": {"op": "remove", "path": "/enforcementPoints"},
		"waivers": {"op": "remove", "path": "/waivers"},
		"freshness": {"op": "remove", "path": "/freshness"},
		"how old a state may be": {"op": "remove", "path": "/freshness/default/maxAgeSeconds"},
		"how far ahead a state may be": {"op": "remove", "path": "/freshness/default/maxAheadSeconds"},
		"what is done then": {"op": "remove", "path": "/freshness/default/then"},
		"what is done where it is not known": {"op": "remove", "path": "/freshness/default/whenUnknown"},
		"freshness of all operations": {"op": "remove", "path": "/freshness/default"},
		"one rule": {"op": "remove", "path": "/rules/B"},
		"a rule's mode": {"op": "remove", "path": "/rules/A/mode"},
		"a rule's parameters": {"op": "remove", "path": "/rules/A/params"},
		"one parameter": {"op": "remove", "path": "/rules/A/params/max"},
	}
	document := json.patch(_whole, [patch])
	_fits(document, false)
	not _fits(document, true)
}

test_what_never_fits[note] if {
	some note, patch in {
		"a field": {"op": "add", "path": "/rule", "value": {}},
		"a rule": {"op": "add", "path": "/rules/Z", "value": {"mode": "deny", "params": {}}},
		"a rule of a cluster": {"op": "add", "path": "/clusters/0/rules/Z", "value": {}},
		"a rule of an enforcement point": {"op": "add", "path": "/enforcementPoints/ci/Z", "value": {}},
		"a parameter": {"op": "add", "path": "/rules/A/params/least", "value": 1},
		"a parameter of a cluster": {"op": "add", "path": "/clusters/0/rules/A/params", "value": {"least": 1}},
		"a field of a rule": {"op": "add", "path": "/rules/A/Mode", "value": "deny"},
		"a mode": {"op": "replace", "path": "/rules/A/mode", "value": "Deny"},
		"a parameter's type": {"op": "replace", "path": "/rules/A/params/min", "value": "1"},
		"a parameter's range": {"op": "replace", "path": "/rules/A/params/min", "value": 0},
		"a date": {"op": "replace", "path": "/rules/A/enforceFrom", "value": "1.1.2027"},
		"rules as a list": {"op": "replace", "path": "/rules", "value": []},
		"clusters as an object": {"op": "replace", "path": "/clusters", "value": {}},
		"a cluster without match": {"op": "remove", "path": "/clusters/0/match"},
		"a match without name": {"op": "remove", "path": "/clusters/0/match/name"},
		"a match by label": {"op": "add", "path": "/clusters/0/match/label", "value": "x"},
		"a waiver without id": {"op": "remove", "path": "/waivers/0/id"},
		"a waiver without rule": {"op": "remove", "path": "/waivers/0/rule"},
		"a waiver without owner": {"op": "remove", "path": "/waivers/0/owner"},
		"a waiver without reason": {"op": "remove", "path": "/waivers/0/reason"},
		"a waiver without end": {"op": "remove", "path": "/waivers/0/expires"},
		"a waiver's end": {"op": "replace", "path": "/waivers/0/expires", "value": "never"},
		"a waiver's field": {"op": "add", "path": "/waivers/0/until", "value": "2027-01-01"},
	}
	document := json.patch(_whole, [patch])
	not _fits(document, false)
	not _fits(document, true)
}

# A row says what it likes, of rules and of freshness.
test_what_a_row_may_say[note] if {
	some note, row in {
		"nothing": {},
		"rules": {"rules": {"A": {"mode": "warn"}}},
		"freshness": {"freshness": {"operations": {"AuditTopic": {"then": "warn"}}}},
	}
	document := {
		"clusters": [object.union({"match": {"name": "dev-*"}}, row)],
		"enforcementPoints": {"ci": object.union(object.get(row, "rules", {}), object.filter(row, ["freshness"]))},
	}
	_fits(document, false)
}

# Every operation has a limit but the parts of audits, and those that are whole by themselves can do without the state.
test_operations_with_a_limit if {
	limits := _schema(false).properties.freshness.properties.operations.properties
	object.keys(limits) == object.keys(operations) - {"AuditTopicConfigs", "AuditTopicLabels", "AuditTopicName"}
	alone := {operation | some operation, limit in limits; "request" in limit.properties.then.enum}
	alone == {
		"AddRaftVoter", "AlterGroupOffsets", "AlterReplicaLogDirs", "AlterScram", "CreateAcl", "CreateDelegationToken",
		"CreateTopic", "DeleteAcl", "DeleteGroup", "DeleteGroupOffsets", "ElectLeaders", "ExpireDelegationToken",
		"RemoveRaftVoter", "RenewDelegationToken", "StartBroker", "UpdateFeatures",
	}
}
