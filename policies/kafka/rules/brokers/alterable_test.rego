package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_alters(operation, id, before, after) := {
	"operation": operation,
	"broker": id,
	"params": {"KFK-BRK-004": {"allowed": ["log.retention.ms", "ssl.*"]}},
	"change": {"before": before, "after": after},
}

_not_alterable(name, place) := {
	"rule": "KFK-BRK-004",
	"severity": "high",
	"message": sprintf("%s may not be altered while %s", [name, place]),
	"fix": sprintf("change %s in the brokers' files, and roll the restart", [name]),
	"path": ["configs", name],
	"patch": [],
}

test_alterable[note] if {
	some note, tc in {
		"one that may be": {"id": "", "before": {}, "after": {"log.retention.ms": "1"}, "deny": set()},
		"one like those that may be": {"id": "1", "before": {"ssl.key.password": "a"}, "after": {}, "deny": set()},
		"one that may not be, added": {
			"id": "1", "before": {}, "after": {"log.retention.bytes": "1"},
			"deny": {_not_alterable("log.retention.bytes", "broker 1 runs")},
		},
		"one that may not be, altered": {
			"id": "", "before": {"log.retention.bytes": "2"}, "after": {"log.retention.bytes": "1"},
			"deny": {_not_alterable("log.retention.bytes", "brokers run")},
		},
		"one that may not be, removed": {
			"id": "", "before": {"log.retention.bytes": "2"}, "after": {},
			"deny": {_not_alterable("log.retention.bytes", "brokers run")},
		},
		"one that may not be, in another spelling": {
			"id": "", "before": {"log.retention.bytes": "-1"}, "after": {"log.retention.bytes": " -07"},
			"deny": set(),
		},
		"one that may not be, as it was": {
			"id": "", "before": {"log.retention.bytes": "2"}, "after": {"log.retention.bytes": "2"},
			"deny": set(),
		},
		"a list that topics inherit, in another order": {
			"id": "", "before": {"log.cleanup.policy": "compact,delete"},
			"after": {"log.cleanup.policy": "delete,compact"},
			"deny": set(),
		},
		"a list that topics inherit, with a member more": {
			"id": "", "before": {"log.cleanup.policy": "compact"}, "after": {"log.cleanup.policy": "delete,compact"},
			"deny": {_not_alterable("log.cleanup.policy", "brokers run")},
		},
		"a list that topics inherit, removed": {
			"id": "", "before": {"log.cleanup.policy": "delete"}, "after": {},
			"deny": {_not_alterable("log.cleanup.policy", "brokers run")},
		},
		"a list that no topic inherits, in another order": {
			"id": "1", "before": {"metric.reporters": "a,b"}, "after": {"metric.reporters": "b,a"},
			"deny": {_not_alterable("metric.reporters", "broker 1 runs")},
		},
		"two": {
			"id": "", "before": {"log.retention.ms": "2"}, "after": {"a": "1", "b": "1"},
			"deny": {_not_alterable("a", "brokers run"), _not_alterable("b", "brokers run")},
		},
	}
	found := family.deny with input as _alters("AlterBroker", tc.id, tc.before, tc.after)
	tc.deny == found
}
