package kafka.engine_test

import data.kafka.fixtures_test as fixtures

# What a change brings nearer to its bound, or leaves as far, is found; what it takes further away is caused.

_acls := {"User:admin": [{
	"resourceType": "CLUSTER", "resourceName": "kafka-cluster", "patternType": "LITERAL", "principal": "User:admin",
	"host": "*", "operation": "ALTER_CONFIGS", "permissionType": "ALLOW",
}]}

# The causes of one rule's violations where a user's client config or quota goes from one value to another.
_client_config_causes(rule, key, before, after) := _causes_of_rule(rule, fixtures.decide(
	{
		"operation": "AlterClientConfigs", "cluster": "prod-eu", "now": fixtures.now,
		"principal": {"type": "User", "name": "admin"},
		"request": {"entity": {"user": "alice"}, "ops": [{"key": key, "value": after}]},
		"clusterState": {
			"meta": {"observedAt": "2026-11-21T09:59:58Z"},
			"acls": _acls,
			"clientConfigs": {"alice": {"": {key: before}}},
		},
	},
	_shipped,
))

_quota_causes(before, op) := _causes_of_rule("KFK-QTA-001", fixtures.decide(
	{
		"operation": "AlterQuota", "cluster": "prod-eu", "now": fixtures.now,
		"request": {"entity": {"user": "alice"}, "ops": [object.union({"key": "producer_byte_rate"}, op)]},
		"clusterState": {
			"meta": {"observedAt": "2026-11-21T09:59:58Z"},
			"quotas": {"user=alice": object.union({"consumer_byte_rate": 2048, "request_percentage": 50}, before)},
		},
	},
	_shipped,
))

_causes_of_rule(rule, decision) := [violation.cause | some violation in decision.violations; violation.rule == rule]

test_better_client_configs[note] if {
	some note, [rule, key, before, after, causes] in {
		"acks, one more": ["KFK-CLI-001", "acks", "0", "1", ["found"]],
		"acks, the same": ["KFK-CLI-001", "acks", "0", "0", ["found"]],
		"acks, one less": ["KFK-CLI-001", "acks", "1", "0", ["caused"]],
		"acks, all": ["KFK-CLI-001", "acks", "0", "all", []],
		"acks that cannot be read, mended in part": ["KFK-CLI-001", "acks", "2", "1", ["caused"]],
		"a session that is longer": ["KFK-CLI-006", "session.timeout.ms", "4000", "5000", ["found"]],
		"a session that is shorter": ["KFK-CLI-006", "session.timeout.ms", "5000", "4000", ["caused"]],
		"a session on the other side": ["KFK-CLI-006", "session.timeout.ms", "5000", "300001", ["caused"]],
		"a session that is too long, less so": ["KFK-CLI-006", "session.timeout.ms", "900000", "400000", ["found"]],
	}
	causes == _client_config_causes(rule, key, before, after)
}

test_better_quotas[note] if {
	some note, [before, op, causes] in {
		"higher, and too low": [{"producer_byte_rate": 10}, {"value": 100}, ["found"]],
		"lower still": [{"producer_byte_rate": 100}, {"value": 10}, ["caused"]],
		"lower, and too high": [{"producer_byte_rate": 900000000}, {"value": 800000000}, ["found"]],
		"none before, and too high": [{}, {"value": 800000000}, ["caused"]],
		"none before, and too low": [{}, {"value": 10}, ["caused"]],
		"none any more": [{"producer_byte_rate": 900000000}, {"remove": true}, ["caused"]],
		"none, as before": [{}, {"remove": true}, ["found"]],
	}
	causes == _quota_causes(before, op)
}

test_better_topics[note] if {
	some note, [rule, before, after, causes] in {
		"flushed less often": ["KFK-DUR-008", {"flush.ms": "1"}, {"flush.ms": "1000"}, ["found"]],
		"flushed more often": ["KFK-DUR-008", {"flush.ms": "1000"}, {"flush.ms": "1"}, ["caused"]],
		"flushed by another count": ["KFK-DUR-008", {"flush.ms": "1000"}, {"flush.messages": "9"}, ["caused", "found"]],
		"local retention nearer to all": [
			"KFK-TIE-001", {"local.retention.ms": "900000000"}, {"local.retention.ms": "800000000"}, ["found"],
		],
		"local retention further from all": [
			"KFK-TIE-001", {"local.retention.ms": "800000000"}, {"local.retention.ms": "900000000"}, ["caused"],
		],
		"local retention without a limit": [
			"KFK-TIE-001", {"local.retention.ms": "800000000"}, {"local.retention.ms": "-1"}, ["caused"],
		],
	}
	stored := object.union({"remote.storage.enable": "true", "retention.ms": "604800000"}, before)
	over := _rule(rule, {"mode": "deny"})
	causes == _causes_of_rule(rule, _altering(_stored(1, 3, _sound(stored)), _setting(after), over))
}
