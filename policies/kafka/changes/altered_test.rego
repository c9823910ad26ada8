package kafka.changes_test

import data.kafka.changes
import data.kafka.configs

test_altered[note] if {
	some note, tc in {
		"nothing": {"kind": "topic", "before": {}, "after": {}, "names": set()},
		"added": {"kind": "topic", "before": {}, "after": {"retention.ms": "1"}, "names": {"retention.ms"}},
		"removed": {"kind": "topic", "before": {"retention.ms": "1"}, "after": {}, "names": {"retention.ms"}},
		"another number": {
			"kind": "topic",
			"before": {"retention.ms": "1"},
			"after": {"retention.ms": "2"},
			"names": {"retention.ms"},
		},
		"the same number": {
			"kind": "topic",
			"before": {"retention.ms": "1"},
			"after": {"retention.ms": "+1"},
			"names": set(),
		},
		"the same text that is not a number": {
			"kind": "topic",
			"before": {"retention.ms": "x"},
			"after": {"retention.ms": "x"},
			"names": set(),
		},
		"a topic's list in another order": {
			"kind": "topic",
			"before": {"cleanup.policy": "compact,delete"},
			"after": {"cleanup.policy": "delete,compact,delete"},
			"names": set(),
		},
		"a member of a topic's list": {
			"kind": "topic",
			"before": {"cleanup.policy": "compact,delete"},
			"after": {"cleanup.policy": "delete"},
			"names": {"cleanup.policy"},
		},
		"a broker's list in another order": {
			"kind": "broker",
			"before": {"metric.reporters": "a,b"},
			"after": {"metric.reporters": "b,a"},
			"names": {"metric.reporters"},
		},
		"a broker's same list": {
			"kind": "broker",
			"before": {"metric.reporters": "a,b"},
			"after": {"metric.reporters": "a, b"},
			"names": set(),
		},
	}
	changes.altered_names(tc.kind, {"before": tc.before, "after": tc.after}) == tc.names
}

# The state's values are taken where the change is from the state's configs, and those of the change otherwise.
test_before_of_a_change_from_another_state[note] if {
	some note, tc in {
		"the state's": {"stored": {"retention.ms": "5"}, "before": 5},
		"another": {"stored": {"retention.ms": "7"}, "before": 5},
	}
	change := {
		"before": {"retention.ms": "5"},
		"after": {"retention.ms": "9"},
		"explicit": {"retention.ms": "9"},
		"implicitlyDeleted": [],
	}
	document := _prepared({
		"current": object.union(_topic, {
			"configs": tc.stored,
			"values": configs.values("topic", tc.stored),
		}),
		"change": change,
		"effective": {"values": configs.values("topic", change.after)},
	})
	_changes(document) == {"retention.ms": _goes(tc.before, 9, ["rises"], "cost")}
}

test_size_of_partitions_that_only_move if {
	document := _prepared({"requested": {
		"numPartitions": 2,
		"replicasAssignments": {"0": [4, 5, 6], "1": [2, 3, 1, 4]},
	}})
	_changes(document).replicationFactor == _goes(3, 4, ["rises"], "cost")
}

test_topic_of_a_change_stays if {
	not _changes(_prepared({"topic": "t"})).topic
}
