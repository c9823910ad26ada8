package kafka.engine.legacy_test

import data.kafka.configs
import data.kafka.engine.legacy
import data.kafka.fixtures_test as fixtures

_packages := {"create.topic.policy": "site.legacy.create_topic", "alter.config.policy": "site.legacy.alter_config"}

# What each older policy is evaluated with, by the setting that names it.
_evaluated_with(document) := result if {
	result := legacy._request_metadata with input as document
}

_created(configs_requested, assignments) := {
	"operation": "CreateTopic",
	"topic": "t",
	"requested": {
		"numPartitions": 2,
		"replicationFactor": 3,
		"replicasAssignments": assignments,
		"generatedReplicaAssignments": assignments == {},
		"configs": configs_requested,
	},
}

_numbers := {"topic": "t", "numPartitions": 2, "replicationFactor": 3, "replicasAssignments": null, "configs": {}}

test_a_new_topic[note] if {
	some note, tc in {
		"with numbers": {"document": _created({}, {}), "evaluated": {"create.topic.policy": _numbers}},
		"with assignments": {
			"document": _created({}, {"0": [1, 2, 3], "1": [2, 3, 1]}),
			"evaluated": {"create.topic.policy": {
				"topic": "t",
				"numPartitions": null,
				"replicationFactor": null,
				"replicasAssignments": {"0": [1, 2, 3], "1": [2, 3, 1]},
				"configs": {},
			}},
		},
		"with configs, which the other policy sees too": {
			"document": _created({"a": "b"}, {}),
			"evaluated": {
				"create.topic.policy": object.union(_numbers, {"configs": {"a": "b"}}),
				"alter.config.policy": {"resource": {"type": "TOPIC", "name": "t"}, "configs": {"a": "b"}},
			},
		},
	}
	tc.evaluated == _evaluated_with(tc.document)
}

_configs_before := {"retention.ms": "1000", "cleanup.policy": "delete", "segment.ms": "5"}

test_altered_configs[note] if {
	some note, tc in {
		"set": {
			"change": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "SET", "value": "1"}]},
			"configs": {"retention.ms": "1"},
		},
		"set to what it was": {
			"change": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "SET", "value": "1000"}]},
			"configs": {},
		},
		"removed": {
			"change": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "DELETE"}]},
			"configs": {"retention.ms": null},
		},
		"removed where it was not": {
			"change": {"mode": "incremental", "ops": [{"name": "a", "op": "DELETE"}]},
			"configs": {},
		},
		"appended: the whole list": {
			"change": {"mode": "incremental", "ops": [{"name": "cleanup.policy", "op": "APPEND", "value": "compact"}]},
			"configs": {"cleanup.policy": "delete,compact"},
		},
		"replaced: what is not named stays hidden": {
			"change": {"mode": "full", "entries": {"retention.ms": "1", "cleanup.policy": "delete"}},
			"configs": {"retention.ms": "1"},
		},
		"from state to state": {
			"change": {"mode": "resolved", "before": _configs_before, "after": {"segment.ms": "5", "a": "b"}},
			"configs": {"retention.ms": null, "cleanup.policy": null, "a": "b"},
		},
	}
	document := {
		"operation": "AlterTopic",
		"topic": "t",
		"request": {"topic": "t", "configs": tc.change},
		"change": configs.resolved("topic", _configs_before, tc.change),
	}
	resource := {"type": "TOPIC", "name": "t"}
	_evaluated_with(document) == {"alter.config.policy": {"resource": resource, "configs": tc.configs}}
}

test_other_operations[note] if {
	some note, tc in {
		"partitions are added, which no policy is evaluated for": {
			"document": {
				"operation": "AlterTopic", "topic": "t",
				"request": {"topic": "t", "numPartitions": 3},
				"change": {"before": {}, "explicit": {}},
			},
			"evaluated": {},
		},
		"of a broker all that is named": {
			"document": {
				"operation": "AlterBroker", "broker": "1",
				"change": {"before": {"a": "b"}, "explicit": {"a": "b", "c": null}},
			},
			"evaluated": {"alter.config.policy": {
				"resource": {"type": "BROKER", "name": "1"},
				"configs": {"a": "b", "c": null},
			}},
		},
		"client metrics": {
			"document": {
				"operation": "AlterConfig",
				"resource": {"type": "client-metrics", "name": "m"},
				"request": {"configs": {}},
				"change": {"before": {"a": "b"}, "explicit": {"a": "b", "c": "d"}},
			},
			"evaluated": {"alter.config.policy": {
				"resource": {"type": "CLIENT_METRICS", "name": "m"},
				"configs": {"c": "d"},
			}},
		},
		"deletion": {"document": {"operation": "DeleteTopic", "topic": "t", "requested": null}, "evaluated": {}},
		"audit": {
			"document": {"operation": "AuditTopic", "topic": "t", "requested": {"configs": {"a": "b"}}},
			"evaluated": {},
		},
	}
	tc.evaluated == _evaluated_with(tc.document)
}

_decided(fields, policies, site) := result if {
	laid := object.union(fixtures.compiled(fixtures.settings), {"policies": policies})
	document := fixtures.document(fields)
	result := data.kafka.decision with input as document with data.settings.compiled as laid with data.site.legacy as site
}

_silent := {"create_topic": {"deny": set()}, "alter_config": {"deny": set()}}

test_decisions[note] if {
	some note, tc in {
		"no policy is named": {"policies": {}, "site": {"create_topic": {"deny": {"no"}}}, "errors": []},
		"nothing to say": {"policies": _packages, "site": _silent, "errors": []},
		"each message denies": {
			"policies": {"create.topic.policy": "site.legacy.create_topic"},
			"site": {"create_topic": {"deny": {"too many partitions", "no owner"}}},
			"errors": ["create.topic.policy: no owner", "create.topic.policy: too many partitions"],
		},
		"messages as a list, and no text": {
			"policies": {"create.topic.policy": "site.legacy.create_topic"},
			"site": {"create_topic": {"deny": ["no owner", {"code": 44}]}},
			"errors": ["create.topic.policy: no owner", "create.topic.policy: {\"code\":44}"],
		},
		"both": {
			"policies": _packages,
			"site": {"create_topic": {"deny": {"a"}}, "alter_config": {"deny": {"b"}}},
			"errors": ["alter.config.policy: b", "create.topic.policy: a"],
		},
		"a package that is not there": {
			"policies": {"create.topic.policy": "site.legacy.other"},
			"site": _silent,
			"errors": [concat("", [
				"create.topic.policy: site.legacy.other.deny is not there, or is not a set of messages: ",
				"load the bundle that has it",
			])],
		},
		"a package whose deny is not a set": {
			"policies": {"create.topic.policy": "site.legacy.create_topic"},
			"site": {"create_topic": {"deny": false}},
			"errors": [concat("", [
				"create.topic.policy: site.legacy.create_topic.deny is not there, or is not a set of messages: ",
				"load the bundle that has it",
			])],
		},
		"the new one is not evaluated here": {
			"policies": {"topic.management.policy": "kafka.rules"},
			"site": {},
			"errors": [],
		},
	}
	fields := {"request": {"topic": "shop.baskets", "configs": {"retention.ms": "5000"}}}
	tc.errors == _decided(fields, tc.policies, tc.site).errors
}

test_a_violation_whole if {
	policies := {"create.topic.policy": "site.legacy.create_topic"}
	decision := _decided({}, policies, {"create_topic": {"deny": {"no owner"}}})
	decision.violations == [{
		"rule": "create.topic.policy",
		"effect": "deny",
		"severity": "high",
		"message": "no owner",
		"fix": "change what the message names: the older policy of create.topic.policy denies it",
		"path": [],
		"patch": [],
		"waiver": null,
		"cause": "caused",
	}]
	decision.error == {"code": 44, "name": "POLICY_VIOLATION", "message": "create.topic.policy: no owner"}
}
