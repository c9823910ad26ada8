package kafka.rules.access_test

import data.kafka.rules.access as family

_resources := {"topics": {"shop.orders": {"numPartitions": 1}}, "users": {"shop": {"mechanisms": []}}}

_left(operation, fields, state) := object.union(
	object.remove(_bound(operation, "KFK-ACL-003", {}, fields), ["clusterState"]),
	{"clusterState": state},
)

_no_such(kind, name, field) := {
	"rule": "KFK-ACL-003",
	"severity": "low",
	"message": sprintf("the ACL is for %s \"%s\", which does not exist", [kind, name]),
	"fix": sprintf("delete the ACL, or correct the name of the %s", [kind]),
	"path": ["acl", field],
	"patch": [],
}

test_stale[note] if {
	no_topic := _no_such("topic", "shop.order", "resourceName")
	some note, tc in {
		"both there": {"fields": {}, "state": _resources, "deny": set()},
		"no such topic": {"fields": {"resourceName": "shop.order"}, "state": _resources, "deny": {no_topic}},
		"no such topic, in small letters": {
			"fields": {"resourceName": "shop.order", "resourceType": "topic", "patternType": "literal"},
			"state": _resources,
			"deny": {no_topic},
		},
		"no topic at all": {
			"fields": {"resourceName": "shop.order"},
			"state": {"topics": {}},
			"deny": {no_topic},
		},
		"topics are not known": {"fields": {"resourceName": "shop.order"}, "state": {"meta": {}}, "deny": set()},
		"a prefix": {"fields": {"resourceName": "shop.order", "patternType": "PREFIXED"}, "state": _resources, "deny": set()},
		"a group": {"fields": {"resourceName": "shop.order", "resourceType": "GROUP"}, "state": _resources, "deny": set()},
		"all topics": {"fields": {"resourceName": "*"}, "state": _resources, "deny": set()},
		"no such user": {
			"fields": {"principal": "User:sho"},
			"state": _resources,
			"deny": {_no_such("user", "sho", "principal")},
		},
		"users are not known": {
			"fields": {"principal": "User:sho"},
			"state": object.remove(_resources, ["users"]),
			"deny": set(),
		},
		"all users": {"fields": {"principal": "User:*"}, "state": _resources, "deny": set()},
		"another type of principal": {"fields": {"principal": "Group:sho"}, "state": _resources, "deny": set()},
		"taken from a user that is no more": {
			"fields": {"principal": "User:sho", "resourceName": "shop.order", "permissionType": "deny"},
			"state": _resources,
			"deny": set(),
		},
		"neither": {
			"fields": {"principal": "User:sho", "resourceName": "shop.order"},
			"state": _resources,
			"deny": {no_topic, _no_such("user", "sho", "principal")},
		},
	}
	deny := family.deny with input as _left("AuditAcl", tc.fields, tc.state)
	tc.deny == deny
}

test_stale_in_replicated_state[note] if {
	some note, tc in {
		"there": {"name": "shop.orders", "deny": set()},
		"not there": {"name": "shop.order", "deny": {_no_such("topic", "shop.order", "resourceName")}},
	}
	prepared := object.remove(_left("AuditAcl", {"resourceName": tc.name}, {}), ["clusterState"])
	deny := family.deny with input as prepared with data.clusters as {"c": _resources}
	tc.deny == deny
}

test_stale_without_parameters if {
	deny := family.deny with input as object.union(
		object.remove(_left("AuditAcl", {"resourceName": "x"}, _resources), ["params"]),
		{"params": {}},
	)
	deny == set()
}
