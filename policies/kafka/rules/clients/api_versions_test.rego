package kafka.rules.clients_test

import data.kafka.rules.clients as family

_versions := {"KFK-CLI-007": {"versions": {
	"CreateTopics": {"min": 2, "max": 7},
	"DeleteTopics": {"max": 5},
	"CreateAcls": {"min": 1},
	"DeleteRecords": {},
}}}

_came(operation, fields) := object.union({"operation": operation, "params": _versions}, fields)

_out_of_range(api, actual, direction, limit) := {
	"rule": "KFK-CLI-007",
	"severity": "low",
	"message": sprintf("the request is %s in version %d, which is %s of %d", [api, actual, direction, limit]),
	"fix": sprintf("use a client that speaks %s in version %d", [api, limit]),
	"path": ["api", "version"],
	"patch": [],
}

test_api_versions[note] if {
	some note, tc in {
		"on the minimum": {"key": "CreateTopics", "version": 2, "deny": set()},
		"one below": {
			"key": "CreateTopics",
			"version": 1,
			"deny": {_out_of_range("CreateTopics", 1, "below the minimum", 2)},
		},
		"on the maximum": {"key": "CreateTopics", "version": 7, "deny": set()},
		"one above": {
			"key": "CreateTopics",
			"version": 8,
			"deny": {_out_of_range("CreateTopics", 8, "above the maximum", 7)},
		},
		"no minimum": {"key": "DeleteTopics", "version": 0, "deny": set()},
		"a maximum alone": {
			"key": "DeleteTopics",
			"version": 6,
			"deny": {_out_of_range("DeleteTopics", 6, "above the maximum", 5)},
		},
		"a minimum alone": {
			"key": "CreateAcls",
			"version": 0,
			"deny": {_out_of_range("CreateAcls", 0, "below the minimum", 1)},
		},
		"no maximum": {"key": "CreateAcls", "version": 99, "deny": set()},
		"neither": {"key": "DeleteRecords", "version": 0, "deny": set()},
		"an API that is not listed": {"key": "CreatePartitions", "version": 0, "deny": set()},
	}
	deny := family.deny with input as _came("CreateTopic", {"api": {"key": tc.key, "version": tc.version}})
	tc.deny == deny
}

test_api_that_is_not_known if {
	deny := family.deny with input as _came("CreateTopic", {})
	deny == set()
}
