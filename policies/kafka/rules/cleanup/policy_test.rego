package kafka.rules.cleanup_test

import data.kafka.rules.cleanup as family

_all := ["delete", "compact", "compact,delete"]

_cleaned(operation, values, allowed) := {
	"operation": operation,
	"params": {"KFK-CMP-001": {"allowed": allowed}},
	"effective": {"values": values},
}

_policy_violation(actual, problem, choice, patch) := {
	"rule": "KFK-CMP-001",
	"severity": "high",
	"message": sprintf("cleanup.policy \"%s\" %s", [actual, problem]),
	"fix": sprintf("set cleanup.policy to %s", [choice]),
	"path": ["configs", "cleanup.policy"],
	"patch": patch,
}

_empty := _policy_violation("", "is empty: records are kept for ever", "delete or compact or compact,delete", [])

_named_once(policy) := [{"op": "add", "path": "/configs/cleanup.policy", "value": policy}]

test_policy[note] if {
	some note, tc in {
		"delete": {"policy": ["delete"], "allowed": _all, "deny": set()},
		"compact": {"policy": ["compact"], "allowed": _all, "deny": set()},
		"both": {"policy": ["compact", "delete"], "allowed": _all, "deny": set()},
		"both, the other way round": {"policy": ["delete", "compact"], "allowed": _all, "deny": set()},
		"empty": {"policy": [], "allowed": _all, "deny": {_empty}},
		"twice": {"policy": ["delete", "delete"], "allowed": _all, "deny": {_policy_violation(
			"delete,delete", "names a policy twice",
			"delete or compact or compact,delete", _named_once("delete"),
		)}},
		"both, one of them twice": {"policy": ["delete", "compact", "delete"], "allowed": _all, "deny": {_policy_violation(
			"delete,compact,delete", "names a policy twice",
			"delete or compact or compact,delete", _named_once("delete,compact"),
		)}},
		"twice, and not allowed once": {
			"policy": ["compact", "compact"],
			"allowed": ["delete"],
			"deny": {_policy_violation("compact,compact", "names a policy twice", "delete", [])},
		},
		"not allowed": {
			"policy": ["compact"],
			"allowed": ["delete"],
			"deny": {_policy_violation("compact", "is not allowed", "delete", [])},
		},
		"both, where either is allowed": {
			"policy": ["compact", "delete"],
			"allowed": ["delete", "compact"],
			"deny": {_policy_violation("compact,delete", "is not allowed", "delete or compact", [])},
		},
		"unknown": {
			"policy": ["none"],
			"allowed": ["delete"],
			"deny": {_policy_violation("none", "is not allowed", "delete", [])},
		},
		"an empty member": {
			"policy": ["delete", ""],
			"allowed": ["delete"],
			"deny": {_policy_violation("delete,", "is not allowed", "delete", [])},
		},
		"case matters": {
			"policy": ["DELETE"],
			"allowed": ["delete"],
			"deny": {_policy_violation("DELETE", "is not allowed", "delete", [])},
		},
	}
	deny := family.deny with input as _cleaned("CreateTopic", {"cleanup.policy": tc.policy}, tc.allowed)
	tc.deny == deny
}

test_policy_that_is_not_known if {
	deny := family.deny with input as _cleaned("AuditTopic", {}, _all)
	deny == {_empty}
}
