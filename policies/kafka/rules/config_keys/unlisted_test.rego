package kafka.rules.config_keys_test

import data.kafka.rules.config_keys as family

_unlisted_keys_input(operation, state, names) := object.union(
	{
		"operation": operation,
		"params": {"KFK-CFG-003": {}},
		"requested": {"configs": overrides},
		"change": {"before": {}, "after": overrides},
		"cluster": "c",
	},
	state,
) if {
	overrides := {name: "1" | some name in names}
}

_release_state(release) := {"clusterState": {"catalog": {"release": release}}}

_unlisted(name, kind, release) := {
	"rule": "KFK-CFG-003",
	"severity": "medium",
	"message": concat("", [
		$"{name} is not known to this Warden: its catalogue of {kind} is that of Kafka {data.catalog.topic.kafka}, ",
		release,
	]),
	"fix": $"look {name} up in the documentation of the cluster's brokers; if it is misspelt, correct it",
	"path": ["configs", name],
	"patch": [],
}

_no_release := "and which one the cluster has is not known"

_newer_release := "the cluster's that of 9.0"

_resource(type) := {"resource": {"type": type, "name": "a"}}

test_not_known[note] if {
	some note, tc in {
		"none": {"operation": "CreateTopic", "state": {}, "names": [], "deny": set()},
		"of the catalogue": {"operation": "CreateTopic", "state": {}, "names": ["retention.ms"], "deny": set()},
		"of a cluster of no known release": {
			"operation": "CreateTopic",
			"state": {},
			"names": ["x", "retention.ms"],
			"deny": {_unlisted("x", "topics", _no_release)},
		},
		"of a cluster that describes its configs alone": {
			"operation": "CreateTopic",
			"state": {"clusterState": {"catalog": {"configs": {}}}},
			"names": ["x"],
			"deny": {_unlisted("x", "topics", _no_release)},
		},
		"of a newer cluster": {
			"operation": "AlterTopic",
			"state": _release_state("9.0"),
			"names": ["x"],
			"deny": {_unlisted("x", "topics", _newer_release)},
		},
		"of a topic as it stands": {
			"operation": "AuditTopic",
			"state": _release_state("9.0"),
			"names": ["x"],
			"deny": {_unlisted("x", "topics", _newer_release)},
		},
		"of a topic, which Kafka refuses": {
			"operation": "CreateTopic",
			"state": _release_state(data.catalog.topic.kafka),
			"names": ["x"],
			"deny": set(),
		},
		"misspelt is another rule's": {"operation": "CreateTopic", "state": {}, "names": ["retention_ms"], "deny": set()},
		"deprecated is another rule's": {
			"operation": "CreateTopic",
			"state": {},
			"names": ["message.format.version"],
			"deny": set(),
		},
		"a vendor's": {
			"operation": "CreateTopic",
			"state": {"params": {"KFK-CFG-002": {"vendors": ["confluent"]}, "KFK-CFG-003": {}}},
			"names": ["confluent.x"],
			"deny": set(),
		},
		"a broker's": {
			"operation": "AlterBroker",
			"state": {},
			"names": ["x", "listener.name.a.ssl.keystore.type"],
			"deny": {_unlisted("x", "brokers", _no_release)},
		},
		"a broker's of a known release": {
			"operation": "AlterBroker",
			"state": _release_state("4.0"),
			"names": ["x"],
			"deny": {_unlisted("x", "brokers", "the cluster's that of 4.0")},
		},
		"a group's": {
			"operation": "AlterConfig",
			"state": _resource("group"),
			"names": ["x", "share.record.lock.duration.ms"],
			"deny": {_unlisted("x", "groups", _no_release)},
		},
		"a group's, which Kafka refuses": {
			"operation": "AlterConfig",
			"state": object.union(_resource("group"), _release_state("4.0")),
			"names": ["x"],
			"deny": set(),
		},
		"client metrics": {
			"operation": "AlterConfig",
			"state": _resource("client-metrics"),
			"names": ["x", "interval.ms"],
			"deny": {_unlisted("x", "client metrics", _no_release)},
		},
		"loggers have no catalogue": {
			"operation": "AlterConfig",
			"state": _resource("broker-logger"),
			"names": ["x"],
			"deny": set(),
		},
		"another operation": {"operation": "DeleteTopic", "state": {}, "names": ["x"], "deny": set()},
	}
	deny := family.deny with input as _unlisted_keys_input(tc.operation, tc.state, tc.names)
	tc.deny == deny
}

test_what_stands_there_is_left_alone[operation] if {
	some operation, resource in {"AlterTopic": {}, "AlterBroker": {}, "AlterConfig": _resource("group")}
	state := object.union(resource, {"change": {"before": {"x": "1"}}})
	deny := family.deny with input as _unlisted_keys_input(operation, state, ["x"])
	deny == set()
}
