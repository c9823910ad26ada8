package kafka.changes_test

import data.kafka.changes

test_drifted[note] if {
	some note, tc in {
		"nothing is set": {"declared": {}, "overrides": {}, "names": set()},
		"another value": {
			"declared": {"retention.ms": "1"},
			"overrides": {"retention.ms": "2"},
			"names": {"retention.ms"},
		},
		"another text": {"declared": {"retention.ms": "1"}, "overrides": {"retention.ms": "+1"}, "names": set()},
		"declared, and Kafka's default": {
			"declared": {"cleanup.policy": "delete"},
			"overrides": {},
			"names": set(),
		},
		"declared, and not in force": {
			"declared": {"cleanup.policy": "compact"},
			"overrides": {},
			"names": {"cleanup.policy"},
		},
		"set, and the cluster's default": {
			"declared": {},
			"overrides": {"min.insync.replicas": "2"},
			"names": set(),
		},
		"set, and Kafka's default but not the cluster's": {
			"declared": {},
			"overrides": {"min.insync.replicas": "1"},
			"names": {"min.insync.replicas"},
		},
		"not a config of Kafka's": {
			"declared": {"x": "1"},
			"overrides": {"y": "1"},
			"names": {"x", "y"},
		},
	}
	tc.names == changes.drifted(tc.declared, tc.overrides, {"min.insync.replicas": "2"})
}
