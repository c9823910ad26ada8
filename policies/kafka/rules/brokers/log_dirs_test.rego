package kafka.rules.brokers_test

import data.kafka.rules.brokers as family

_unmoved(message, fix) := {
	"rule": "KFK-BRK-012",
	"severity": "medium",
	"message": message,
	"fix": fix,
	"path": ["replicas"],
	"patch": [],
}

_unlisted(directory, directories) := _unmoved(
	$"replicas may not move to the log directory {directory}",
	$"move them to one of {directories}",
)

_crowd(size) := _unmoved(
	$"the request moves {size} replicas, above the maximum of 2",
	"move at most 2 with each request, and the next once they have arrived",
)

_moved(operation, replicas, directories) := deny if {
	deny := family.deny with input as {
		"operation": operation,
		"params": {"KFK-BRK-012": {"directories": directories, "maxReplicas": 2}},
		"request": {"replicas": replicas},
	}
}

_replicas(directory, partitions) := {"topic": "a", "partitions": partitions, "directory": directory}

test_log_dirs[note] if {
	some note, tc in {
		"nothing": {"replicas": [], "deny": set()},
		"two": {"replicas": [_replicas("/a/1", [0, 1])], "deny": set()},
		"three": {"replicas": [_replicas("/a/1", [0, 1, 2])], "deny": {_crowd(3)}},
		"three, to two directories": {"replicas": [_replicas("/a/1", [0, 1]), _replicas("/b", [0])], "deny": {_crowd(3)}},
		"elsewhere": {"replicas": [_replicas("/c", [0])], "deny": {_unlisted("/c", "/a/*, /b")}},
		"to one that begins so": {"replicas": [_replicas("/b/1", [0])], "deny": {_unlisted("/b/1", "/a/*, /b")}},
		"elsewhere, twice": {
			"replicas": [_replicas("/c", [0]), _replicas("/d", [0])],
			"deny": {_unlisted("/c", "/a/*, /b"), _unlisted("/d", "/a/*, /b")},
		},
	}
	tc.deny == _moved("AlterReplicaLogDirs", tc.replicas, ["/a/*", "/b"])
}

test_log_dirs_where_none_is_listed if {
	message := "replicas may not move to the log directory /c, nor to any other"
	denied := _unmoved(message, "have log directories added to `directories` of this rule")
	{denied} == _moved("AlterReplicaLogDirs", [_replicas("/c", [0])], [])
}
