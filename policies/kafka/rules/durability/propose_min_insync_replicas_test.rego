package kafka.rules.durability_test

import data.kafka.rules.durability as family

_new_topic(factor, configs, inherited, fields) := object.union(
	{
		"operation": "CreateTopic",
		"params": {
			"KFK-DUR-002": {"margin": 1},
			"KFK-DUR-003": {"min": 2, "requireExplicit": false},
		},
		"requested": {"replicationFactor": factor, "configs": configs},
		"effective": {"values": {"min.insync.replicas": inherited}},
	},
	fields,
)

_proposes(value) := {{"rule": "KFK-DUR-003", "configs": {"min.insync.replicas": value}}}

test_propose_min_insync_replicas[note] if {
	some note, tc in {
		"three copies": {"factor": 3, "configs": {}, "inherited": 1, "annotate": _proposes("2")},
		"five copies": {"factor": 5, "configs": {"retention.ms": "1"}, "inherited": 1, "annotate": _proposes("4")},
		"too few copies": {"factor": 2, "configs": {}, "inherited": 1, "annotate": set()},
		"the topic says it": {"factor": 3, "configs": {"min.insync.replicas": "1"}, "inherited": 1, "annotate": set()},
		"the cluster says as much": {"factor": 3, "configs": {}, "inherited": 2, "annotate": set()},
		"the cluster says more": {"factor": 3, "configs": {}, "inherited": 3, "annotate": set()},
	}
	annotate := family.annotate with input as _new_topic(tc.factor, tc.configs, tc.inherited, {})
	tc.annotate == annotate
}

test_propose_min_insync_replicas_where_the_topic_has_to_say_it if {
	params := {"KFK-DUR-003": {"requireExplicit": true}}
	annotate := family.annotate with input as _new_topic(3, {}, 2, {"params": params})
	annotate == _proposes("2")
}

test_propose_min_insync_replicas_by_parameters[note] if {
	some note, tc in {
		"a wider margin": {"params": {"KFK-DUR-002": {"margin": 2}, "KFK-DUR-003": {"min": 1}}, "annotate": _proposes("3")},
		"a higher floor": {"params": {"KFK-DUR-003": {"min": 5}}, "annotate": set()},
		"the floor itself": {"params": {"KFK-DUR-003": {"min": 4}}, "annotate": _proposes("4")},
	}
	annotate := family.annotate with input as _new_topic(5, {}, 1, {"params": tc.params})
	tc.annotate == annotate
}

test_propose_min_insync_replicas_operations[operation] if {
	some operation, n in {"CreateTopic": 1, "AlterTopic": 0, "AuditTopic": 0}
	annotate := family.annotate with input as _new_topic(3, {}, 1, {"operation": operation})
	n == count(annotate)
}
