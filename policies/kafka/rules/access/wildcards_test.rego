package kafka.rules.access_test

import data.kafka.rules.access as family

_acl := {
	"resourceType": "TOPIC",
	"resourceName": "shop.orders",
	"patternType": "LITERAL",
	"principal": "User:shop",
	"host": "10.0.0.1",
	"operation": "READ",
	"permissionType": "ALLOW",
}

_bound(operation, id, params, fields) := {
	"operation": operation,
	"cluster": "c",
	"params": {id: params},
	"acl": object.union(_acl, fields),
	"clusterState": {},
}

_wildcard_params := {
	"forbid": ["principal", "resourceName", "operation", "host"],
	"allow": [],
	"maxHostBits": {"ipv4": 16, "ipv6": 64},
}

_granted(principal, field, what, fix) := {
	"rule": "KFK-ACL-001",
	"severity": "critical",
	"message": sprintf("the ACL grants %s %s", [principal, what]),
	"fix": fix,
	"path": ["acl", field],
	"patch": [],
}

_everybody(principal) := _granted(principal, "principal", "access, which is every principal", "name one principal")

_everything := _granted(
	"User:shop",
	"resourceName",
	"access to all resources of a type",
	"name the resource, or a prefix of the owner's",
)

_everything_done := _granted("User:shop", "operation", "all operations", "name the operations that are needed")

_everywhere := _granted("User:shop", "host", "access from all hosts", "name the hosts")

test_wildcards[note] if {
	some note, tc in {
		"none": {"fields": {}, "deny": set()},
		"every user": {"fields": {"principal": "User:*"}, "deny": {_everybody("User:*")}},
		"every group": {"fields": {"principal": "Group:*"}, "deny": {_everybody("Group:*")}},
		"a bare star": {"fields": {"principal": "*"}, "deny": {_everybody("*")}},
		"a name that ends so": {"fields": {"principal": "User:shop:*"}, "deny": set()},
		"a star in a name": {"fields": {"principal": "User:*shop"}, "deny": set()},
		"every topic": {"fields": {"resourceName": "*"}, "deny": {_everything}},
		"a star as a prefix": {"fields": {"resourceName": "*", "patternType": "Prefixed"}, "deny": set()},
		"a pattern that is not known": {"fields": {"resourceName": "*", "patternType": "UNKNOWN"}, "deny": {_everything}},
		"a star in a topic": {"fields": {"resourceName": "shop.*"}, "deny": set()},
		"every operation": {"fields": {"operation": "ALL"}, "deny": {_everything_done}},
		"every operation, in small letters": {"fields": {"operation": "All"}, "deny": {_everything_done}},
		"every host": {"fields": {"host": "*"}, "deny": {_everywhere}},
		"two at once": {"fields": {"host": "*", "operation": "ALL"}, "deny": {_everywhere, _everything_done}},
		"denied to every user": {"fields": {"principal": "User:*", "permissionType": "DENY"}, "deny": set()},
		"denied, in small letters": {"fields": {"principal": "User:*", "permissionType": "Deny"}, "deny": set()},
		"a permission that is not known": {
			"fields": {"resourceName": "*", "permissionType": "UNKNOWN"},
			"deny": {_everything},
		},
	}
	deny := family.deny with input as _bound("CreateAcl", "KFK-ACL-001", _wildcard_params, tc.fields)
	tc.deny == deny
}

test_wildcards_that_are_no_violation[field] if {
	some field, value in {"principal": "User:*", "resourceName": "*", "operation": "ALL", "host": "*"}
	params := {"forbid": [other | some other in _wildcard_params.forbid; other != field], "allow": []}
	deny := family.deny with input as _bound("CreateAcl", "KFK-ACL-001", params, {field: value})
	deny == set()
}

test_wildcards_that_are_listed[note] if {
	some note, tc in {
		"by principal": {"allow": [{"principal": "User:shop"}], "n": 0},
		"by a pattern": {"allow": [{"principal": "User:sh*"}], "n": 0},
		"by two fields": {"allow": [{"principal": "User:shop", "resourceType": "TOPIC"}], "n": 0},
		"one of two fields differs": {"allow": [{"principal": "User:shop", "resourceType": "GROUP"}], "n": 1},
		"the second of two": {"allow": [{"principal": "User:pay"}, {"principal": "User:shop"}], "n": 0},
		"another principal": {"allow": [{"principal": "User:sho"}], "n": 1},
		"a field that ACLs lack": {"allow": [{"owner": "*"}], "n": 1},
		"nothing said": {"allow": [{}], "n": 1},
		"by Kafka's words in small letters": {
			"allow": [{
				"resourceType": "topic", "patternType": "Literal", "operation": "r*", "permissionType": "allow",
			}],
			"n": 0,
		},
		"a principal in small letters": {"allow": [{"principal": "user:shop"}], "n": 1},
		"a principal in capitals": {"allow": [{"principal": "User:SHOP"}], "n": 1},
	}
	params := object.union(_wildcard_params, {"allow": tc.allow})
	deny := family.deny with input as _bound("CreateAcl", "KFK-ACL-001", params, {"resourceName": "*"})
	paths := {0: [], 1: [["acl", "resourceName"]]}
	paths[tc.n] == [violation.path | some violation in deny]
}

# An ACL may be written in small letters as well.
test_wildcards_in_small_letters_that_are_listed if {
	params := object.union(_wildcard_params, {"allow": [{"operation": "READ", "resourceType": "TOPIC"}]})
	fields := {"resourceName": "*", "operation": "read", "resourceType": "topic"}
	set() == family.deny with input as _bound("CreateAcl", "KFK-ACL-001", params, fields)
}

# Of which resources it is not said counts as all.
test_wildcards_without_a_pattern_type if {
	prepared := _bound("CreateAcl", "KFK-ACL-001", _wildcard_params, {"resourceName": "*"})
	deny := family.deny with input as object.union(
		object.remove(prepared, ["acl"]),
		{"acl": object.remove(prepared.acl, ["patternType"])},
	)
	deny == {_everything}
}

# Who is granted nothing certain is granted it all the same.
test_wildcards_without_a_permission if {
	prepared := _bound("CreateAcl", "KFK-ACL-001", _wildcard_params, {"resourceName": "*"})
	deny := family.deny with input as object.union(
		object.remove(prepared, ["acl"]),
		{"acl": object.remove(prepared.acl, ["permissionType"])},
	)
	deny == {_everything}
}

_wide_range(host) := _granted(
	"User:shop", "host",
	sprintf("access from hosts %s, which is too wide a range", [host]),
	"name the hosts, or ranges that leave at most so many bits open: ipv4 16, ipv6 64",
)

test_ranges[host] if {
	some host, is_wide in {
		"0.0.0.0/0": true,
		"::/0": true,
		"0.0.0.0/1": true,
		"128.0.0.0/1": true,
		"10.0.0.0/15": true,
		"10.0.0.0/16": false,
		"10.0.0.7/32": false,
		"2001:db8::/63": true,
		"2001:db8::/64": false,
		"::%lo/0": true,
		"no/range": true,
	}
	deny := family.deny with input as _bound("AuditAcl", "KFK-ACL-001", _wildcard_params, {"host": host})
	{true: {_wide_range(host)}, false: set()}[is_wide] == deny
}

test_ranges_where_all_hosts_may if {
	params := object.union(_wildcard_params, {"forbid": ["principal"]})
	fields := {"host": "0.0.0.0/0"}
	set() == family.deny with input as _bound("CreateAcl", "KFK-ACL-001", params, fields)
}

test_ranges_of_a_family_without_any if {
	params := object.union(object.remove(_wildcard_params, ["maxHostBits"]), {"maxHostBits": {"ipv4": 8}})
	deny := family.deny with input as _bound("CreateAcl", "KFK-ACL-001", params, {"host": "2001:db8::/127"})
	{"name the hosts, or ranges that leave at most so many bits open: ipv4 8"} == {violation.fix | some violation in deny}
}

test_ranges_where_none_is_allowed[note] if {
	some note, fields in {"none said": {}, "none listed": {"maxHostBits": {}}}
	params := object.union(object.remove(_wildcard_params, ["maxHostBits"]), fields)
	deny := family.deny with input as _bound("CreateAcl", "KFK-ACL-001", params, {"host": "10.0.0.0/31"})
	deny == {_granted(
		"User:shop", "host",
		"access from hosts 10.0.0.0/31, a range, of which none is allowed",
		"name the hosts",
	)}
}

test_ranges_that_are_listed[note] if {
	some note, tc in {
		"by a range around it": {"allow": "10.0.0.0/8", "host": "10.0.0.0/9", "n": 0},
		"by the range itself": {"allow": "10.0.0.0/8", "host": "10.0.0.0/8", "n": 0},
		"by a range inside it": {"allow": "10.0.0.0/9", "host": "10.0.0.0/8", "n": 1},
		"by a pattern of addresses": {"allow": "10.*", "host": "10.0.0.0/0", "n": 1},
		"by a pattern of ranges": {"allow": "10.*/9", "host": "10.0.0.0/9", "n": 0},
		"by any": {"allow": "*", "host": "10.0.0.0/9", "n": 0},
	}
	params := object.union(_wildcard_params, {"allow": [{"host": tc.allow}]})
	deny := family.deny with input as _bound("CreateAcl", "KFK-ACL-001", params, {"host": tc.host})
	tc.n == count(deny)
}

test_hosts_from_which_everybody_may[host] if {
	some host, n in {"10.1.2.3": 0, "11.1.2.3": 1}
	params := object.union(_wildcard_params, {"allow": [{"host": "10.*"}]})
	fields := {"principal": "User:*", "host": host}
	deny := family.deny with input as _bound("CreateAcl", "KFK-ACL-001", params, fields)
	n == count(deny)
}
