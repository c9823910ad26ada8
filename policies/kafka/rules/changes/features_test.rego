package kafka.rules.changes_test

import data.kafka.rules.changes as family

_update(feature, how) := {"feature": feature, "maxVersionLevel": 3, "upgradeType": how}

_downgraded(i, feature, how) := {
	"rule": "KFK-CHG-009",
	"severity": "critical",
	"message": sprintf("feature \"%s\" may not be downgraded to level 3 (%s)", [feature, how]),
	"fix": "leave the feature at its level, or have those who run the cluster allow this downgrade",
	"path": ["featureUpdates", i, "upgradeType"],
	"patch": [],
}

test_features[note] if {
	some note, tc in {
		"nothing": {"updates": [], "deny": set()},
		"raised": {"updates": [_update("metadata.version", "UPGRADE")], "deny": set()},
		"lowered": {
			"updates": [_update("metadata.version", "SAFE_DOWNGRADE")],
			"deny": {_downgraded(0, "metadata.version", "SAFE_DOWNGRADE")},
		},
		"lowered beside one that is raised": {
			"updates": [_update("group.version", "UPGRADE"), _update("metadata.version", "UNSAFE_DOWNGRADE")],
			"deny": {_downgraded(1, "metadata.version", "UNSAFE_DOWNGRADE")},
		},
		"lowered where nothing is lost, as allowed": {"updates": [_update("a.version", "SAFE_DOWNGRADE")], "deny": set()},
		"lowered whatever is lost, where only the other is allowed": {
			"updates": [_update("a.version", "UNSAFE_DOWNGRADE")],
			"deny": {_downgraded(0, "a.version", "UNSAFE_DOWNGRADE")},
		},
		"lowered whatever is lost, as allowed": {
			"updates": [_update("b.version", "UNSAFE_DOWNGRADE"), _update("b.version", "SAFE_DOWNGRADE")],
			"deny": set(),
		},
		"a way that nobody knows": {
			"updates": [_update("a.version", "DOWNGRADE")],
			"deny": {_downgraded(0, "a.version", "DOWNGRADE")},
		},
	}
	deny := family.deny with input as {
		"operation": "UpdateFeatures",
		"params": {"KFK-CHG-009": {"safe": ["a.*"], "unsafe": ["b.*"]}},
		"request": {"featureUpdates": tc.updates},
	}
	tc.deny == deny
}
