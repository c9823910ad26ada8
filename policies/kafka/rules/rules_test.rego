package kafka.rules_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules

# One broken rule of each family, and of none.
test_every_family_is_evaluated[id] if {
	some id, prepared in {
		"KFK-ACL-001": {
			"operation": "CreateAcl",
			"params": {"KFK-ACL-001": {"forbid": ["resourceName"], "allow": []}},
			"acl": {"principal": "User:a", "resourceName": "*"},
		},
		"KFK-CMP-006": {
			"operation": "DeleteRecords",
			"params": {"KFK-CMP-006": {}},
			"effective": {"values": {"cleanup.policy": ["compact"]}},
			"deletedMessageOffsets": {"0": 1},
		},
		"KFK-CLI-007": {
			"params": {"KFK-CLI-007": {"versions": {"CreateTopics": {"min": 2}}}},
			"api": {"key": "CreateTopics", "version": 1},
		},
		"KFK-DUR-001": {"params": {"KFK-DUR-001": {"min": 3, "max": 5}}, "requested": {"replicationFactor": 1}},
		"KFK-GOV-003": {
			"params": {"KFK-GOV-003": {"labelKey": "domain", "separator": "."}},
			"labels": {"domain": "a"},
			"topic": "b.c",
		},
		"KFK-LST-004": {"params": {"KFK-LST-004": {}}, "requested": {"configs": {"cleanup.policy": "none"}}, "topic": "a"},
		"KFK-NAM-003": {"params": {"KFK-NAM-003": {"maxLength": 1}}, "topic": "ab"},
		"KFK-QTA-001": {
			"operation": "AlterQuota",
			"params": {"KFK-QTA-001": {"producer_byte_rate": {"max": 1}, "exempt": []}},
			"entity": {"user": "a"},
			"requested": {"quotas": {"producer_byte_rate": 2}},
		},
		"KFK-RET-001": {
			"params": {"KFK-RET-001": {"min": 2, "max": 9}},
			"effective": {"values": {"cleanup.policy": ["delete"], "retention.ms": 1}},
		},
		"KFK-SIZ-001": {"params": {"KFK-SIZ-001": {"min": 1, "max": 3}}, "requested": {"numPartitions": 4}},
	}
	violations := rules.violations with input as object.union({"operation": "CreateTopic"}, prepared)
	{id} == {violation.rule | some violation in violations}
}

test_nothing_is_broken if {
	violations := rules.violations with input as {"operation": "CreateTopic", "params": {}}
	violations == set()
}

# What a rule only warns of does not deny, although the rule's mode is deny; a softer mode stays as it is.
test_what_only_warns[mode] if {
	some mode, tc in {
		"deny": {"allowed": true, "effects": ["warn"]},
		"dryrun": {"allowed": true, "effects": ["dryrun"]},
		"disabled": {"allowed": true, "effects": []},
	}
	topic := object.union(fixtures.topic, {"configs": {"cleanup.policy": "delete,delete"}})
	decision := fixtures.decide(
		fixtures.document({
			"operation": "AuditTopic",
			"request": {"topic": "shop.orders"},
			"clusterState": object.union(fixtures.state, {"topics": {"shop.orders": topic}}),
		}),
		{"rules": {"KFK-LST-003": {"mode": mode, "params": {"newValues": "validate", "storedValues": "parse"}}}},
	)
	[tc.allowed, tc.effects] == [decision.allowed, [violation.effect | some violation in decision.violations]]
}
