package kafka.rules.retention_test

import data.kafka.rules.retention as family

_tier_input(operation, labels, milliseconds) := {
	"operation": operation,
	"params": {"KFK-RET-004": {"labelKey": "tier", "byTier": {"*": 100, "gold": 300}}},
	"labels": labels,
	"effective": {"values": {"cleanup.policy": ["delete"], "retention.ms": milliseconds}},
}

_tier_ceiling(kept, limit, tier) := {
	"rule": "KFK-RET-004",
	"severity": "medium",
	"message": sprintf("records are kept %s, longer than the %d ms included where tier is %s", [kept, limit, tier]),
	"fix": sprintf("set retention.ms to %d, or move to a higher tier", [limit]),
	"path": ["configs", "retention.ms"],
	"patch": [{"op": "add", "path": "/configs/retention.ms", "value": format_int(limit, 10)}],
}

test_tier_ceiling[note] if {
	some note, tc in {
		"on it": {"labels": {"tier": "gold"}, "actual": 300, "deny": set()},
		"one above": {"labels": {"tier": "gold"}, "actual": 301, "deny": {_tier_ceiling("301 ms", 300, "gold")}},
		"for ever": {"labels": {"tier": "gold"}, "actual": -1, "deny": {_tier_ceiling("for ever", 300, "gold")}},
		"any negative one": {"labels": {"tier": "gold"}, "actual": -7, "deny": {_tier_ceiling("for ever", 300, "gold")}},
		"another tier, on it": {"labels": {"tier": "tin"}, "actual": 100, "deny": set()},
		"another tier, above": {"labels": {"tier": "tin"}, "actual": 101, "deny": {_tier_ceiling("101 ms", 100, "tin")}},
		"blanks around": {"labels": {"tier": " gold"}, "actual": 300, "deny": set()},
		"no tier": {"labels": {"Tier": "gold"}, "actual": 101, "deny": {_tier_ceiling("101 ms", 100, "missing")}},
	}
	deny := family.deny with input as _tier_input("CreateTopic", tc.labels, tc.actual)
	tc.deny == deny
}

test_tier_ceiling_of_an_empty_policy if {
	values := {"cleanup.policy": [], "retention.ms": 1}
	deny := family.deny with input as object.union(_tier_input("CreateTopic", {}, 1), {"effective": {"values": values}})
	deny == {object.union(_tier_ceiling("for ever", 100, "missing"), {
		"fix": "set retention.ms to 100 and cleanup.policy to delete, or move to a higher tier",
		"patch": array.concat(
			[{"op": "add", "path": "/configs/retention.ms", "value": "100"}],
			_and_delete,
		),
	})}
}
