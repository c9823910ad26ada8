package kafka.rules.access_test

import data.kafka.rules.access as family

_owned := {"namespaces": {"User:shop": ["shop.", "basket."], "User:none": []}}

_prefixed(operation, prefix, fields) := _bound(
	operation,
	"KFK-ACL-002",
	_owned,
	object.union({"patternType": "PREFIXED", "resourceName": prefix}, fields),
)

_prefix_violation(prefix, principal, allowed) := {
	"rule": "KFK-ACL-002",
	"severity": "high",
	"message": sprintf("prefix \"%s\" of the ACL for %s reaches beyond %s", [prefix, principal, allowed]),
	"fix": sprintf("use a prefix that begins with %s, or name each resource", [allowed]),
	"path": ["acl", "resourceName"],
	"patch": [],
}

_without_namespace(principal) := object.union(_prefix_violation("shop.", principal, ""), {
	"message": $"prefix \"shop.\" of the ACL for {principal} reaches beyond what its principal owns, which is nothing",
	"fix": "name each resource, or have the principal's prefix added to `namespaces` of this rule",
})

test_namespaces[note] if {
	some note, tc in {
		"the namespace itself": {"prefix": "shop.", "fields": {}, "deny": set()},
		"inside it": {"prefix": "shop.orders.", "fields": {}, "deny": set()},
		"inside the other": {"prefix": "basket.x", "fields": {}, "deny": set()},
		"one character short": {
			"prefix": "shop",
			"fields": {},
			"deny": {_prefix_violation("shop", "User:shop", "shop. or basket.")},
		},
		"another's": {"prefix": "pay.", "fields": {}, "deny": {_prefix_violation("pay.", "User:shop", "shop. or basket.")}},
		"an empty prefix": {"prefix": "", "fields": {}, "deny": {_prefix_violation("", "User:shop", "shop. or basket.")}},
		"a principal without namespaces": {
			"prefix": "shop.",
			"fields": {"principal": "User:none"},
			"deny": {_without_namespace("User:none")},
		},
		"a principal that is not listed": {
			"prefix": "shop.",
			"fields": {"principal": "User:new"},
			"deny": {_without_namespace("User:new")},
		},
		"a group": {
			"prefix": "pay.",
			"fields": {"resourceType": "GROUP"},
			"deny": {_prefix_violation("pay.", "User:shop", "shop. or basket.")},
		},
		"in small letters": {
			"prefix": "pay.",
			"fields": {"patternType": "prefixed"},
			"deny": {_prefix_violation("pay.", "User:shop", "shop. or basket.")},
		},
		"a pattern that is not known": {
			"prefix": "pay.",
			"fields": {"patternType": "UNKNOWN_7"},
			"deny": {_prefix_violation("pay.", "User:shop", "shop. or basket.")},
		},
		"a single topic": {"prefix": "pay.x", "fields": {"patternType": "LITERAL"}, "deny": set()},
		"a single topic, in small letters": {"prefix": "pay.x", "fields": {"patternType": "Literal"}, "deny": set()},
		"taken away": {"prefix": "pay.", "fields": {"permissionType": "DENY"}, "deny": set()},
	}
	deny := family.deny with input as _prefixed("CreateAcl", tc.prefix, tc.fields)
	tc.deny == deny
}
