package kafka.rules.governance_test

import data.kafka.rules.governance as family

_promoted(operation, own) := {
	"operation": operation,
	"cluster": own,
	"params": {"KFK-GOV-005": {"order": ["dev", "staging", "prod-*"]}},
	"topic": "shop.orders",
	"requested": {"internal": false},
	"clusterState": {"topics": {"shop.orders": {}}},
}

_promotion_violation(before, problem) := {
	"rule": "KFK-GOV-005",
	"severity": "medium",
	"message": sprintf("topic \"shop.orders\" %s", [problem]),
	"fix": sprintf("create the topic in cluster %s first", [before]),
	"path": ["topic"],
	"patch": [],
}

_absent(before) := {_promotion_violation(before, sprintf("is not in cluster %s", [before]))}

_not_known(before) := {_promotion_violation(
	before,
	sprintf("cannot be looked up in cluster %s, of which nothing is known", [before]),
)}

test_promotion[note] if {
	there := {"topics": {"shop.orders": {"numPartitions": 1}}}
	empty := {"topics": {}}
	some note, tc in {
		"first of the order": {"own": "dev", "clusters": {"staging": empty, "prod-eu": empty}, "deny": set()},
		"there before": {"own": "staging", "clusters": {"dev": there}, "deny": set()},
		"not there before": {"own": "staging", "clusters": {"dev": empty, "prod-eu": there}, "deny": _absent("dev")},
		"there, but two before": {"own": "prod-eu", "clusters": {"dev": there, "staging": empty}, "deny": _absent("staging")},
		"matched by a pattern": {"own": "prod-us", "clusters": {"staging": there}, "deny": set()},
		"nothing known of the one before": {"own": "prod-eu", "clusters": {"dev": there}, "deny": _not_known("staging")},
		"its topics are not known": {"own": "prod-eu", "clusters": {"staging": {"meta": {}}}, "deny": _not_known("staging")},
		"not in the order": {"own": "lab", "clusters": {}, "deny": set()},
	}
	deny := family.deny with input as _promoted("CreateTopic", tc.own) with data.clusters as tc.clusters
	tc.deny == deny
}

test_promotion_where_nothing_is_replicated if {
	deny := family.deny with input as _promoted("CreateTopic", "staging")
	deny == _not_known("dev")
}

test_promotion_of_internal_topics if {
	prepared := object.union(_promoted("AuditTopic", "staging"), {"requested": {"internal": true}})
	deny := family.deny with input as prepared with data.clusters as {"dev": {"topics": {}}}
	deny == set()
}
