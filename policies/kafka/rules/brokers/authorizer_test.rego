package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_guard := "org.apache.kafka.metadata.authorizer.StandardAuthorizer"

_unguarded := {
	"rule": "KFK-BRK-007",
	"severity": "critical",
	"message": "authorizer.class.name is not set, so that nothing asks the ACLs",
	"fix": sprintf("set authorizer.class.name to %s", [_guard]),
	"path": ["configs", "authorizer.class.name"],
	"patch": _patched("authorizer.class.name", _guard),
}

_open_to_all := {
	"rule": "KFK-BRK-007",
	"severity": "critical",
	"message": "allow.everyone.if.no.acl.found is true, so that what has no ACL is open to all",
	"fix": "set allow.everyone.if.no.acl.found to false",
	"path": ["configs", "allow.everyone.if.no.acl.found"],
	"patch": _patched("allow.everyone.if.no.acl.found", "false"),
}

test_authorizer[note] if {
	some note, tc in {
		"set": {"overrides": {"authorizer.class.name": _guard}, "deny": set()},
		"any class": {"overrides": {"authorizer.class.name": "com.example.Guard"}, "deny": set()},
		"not set": {"overrides": {}, "deny": {_unguarded}},
		"blank": {"overrides": {"authorizer.class.name": " "}, "deny": {_unguarded}},
		"set, closed": {
			"overrides": {"authorizer.class.name": _guard, "allow.everyone.if.no.acl.found": "false"},
			"deny": set(),
		},
		"set, open": {
			"overrides": {"authorizer.class.name": _guard, "allow.everyone.if.no.acl.found": " True "},
			"deny": {_open_to_all},
		},
		"not set, open": {"overrides": {"allow.everyone.if.no.acl.found": "true"}, "deny": {_unguarded, _open_to_all}},
	}
	found := family.deny with input as _broker("StartBroker", "1", {"KFK-BRK-007": {}}, tc.overrides, {})
	tc.deny == found
}

# What is not known to be set is not.
test_authorizer_is_not_known if {
	document := {"operation": "AuditBroker", "broker": "1", "params": {"KFK-BRK-007": {}}}
	found := family.deny with input as document
	found == {object.union(_unguarded, {"patch": []})}
}

test_authorizer_of_all_brokers[note] if {
	some note, tc in {
		"nothing set": {"overrides": {}, "deny": set()},
		"open": {
			"overrides": {"allow.everyone.if.no.acl.found": "true"},
			"deny": {object.union(_open_to_all, {"patch": []})},
		},
	}
	found := family.deny with input as _broker("AlterBroker", "", {"KFK-BRK-007": {}}, tc.overrides, {})
	tc.deny == found
}
