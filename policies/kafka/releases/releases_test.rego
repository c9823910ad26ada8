package kafka.releases_test

import data.kafka.fixtures_test as fixtures
import data.kafka.releases

test_line[note] if {
	some note, tc in {
		"an older one": {"state": {"catalog": {"release": "3.9"}}, "lines": {"3.9"}},
		"with its patch": {"state": {"catalog": {"release": "4.3.1"}}, "lines": {"4.3"}},
		"the newest": {"state": {"catalog": {"release": "4.4.0"}}, "lines": set()},
		"a newer one": {"state": {"catalog": {"release": "9.0"}}, "lines": set()},
		"no release": {"state": {"catalog": {"release": "new"}}, "lines": set()},
		"not known": {"state": {"catalog": {}}, "lines": set()},
		"nothing known": {"state": {}, "lines": set()},
	}
	tc.lines == {line | line := releases.line({"cluster": "c", "clusterState": tc.state})}
}

# What a creation with these configs is refused for, on a cluster of a release.
test_decisions[note] if {
	some note, tc in {
		"a key that came later": {"key": "max.decompressed.message.bytes", "value": "1", "refused": {
			"3.9": {"Unknown topic config name: max.decompressed.message.bytes"},
			"4.3": {"Unknown topic config name: max.decompressed.message.bytes"},
			"4.4": set(),
		}},
		"a key that is gone": {"key": "message.downconversion.enable", "value": "true", "refused": {
			"3.9": set(),
			"4.0": {"Unknown topic config name: message.downconversion.enable"},
			"4.4": {"Unknown topic config name: message.downconversion.enable"},
		}},
		"one that has to be a boolean": {"key": "message.downconversion.enable", "value": "x", "refused": {"3.9": {concat(
			"",
			[
				"Invalid value x for configuration message.downconversion.enable: ",
				"Expected value to be either true or false",
			],
		)}}},
		"another bound": {"key": "segment.bytes", "value": "14", "refused": {
			"4.0": set(),
			"4.1": {"Invalid value 14 for configuration segment.bytes: Value must be at least 1048576"},
		}},
		"another validator of lists": {"key": "cleanup.policy", "value": "delete,,x", "refused": {
			"4.1": {"Invalid value  for configuration cleanup.policy: String must be one of: compact, delete"},
			"4.2": {"Configuration 'cleanup.policy' values must not be empty."},
		}},
	}
	every release, messages in tc.refused {
		state := object.union(fixtures.state, {"catalog": {"release": release}})
		request := {"topic": "shop.baskets", "configs": {tc.key: tc.value}}
		decision := fixtures.decide(fixtures.document({"request": request, "clusterState": state}), {})
		messages == {message | some message in decision.errors; not startswith(message, "KFK-")}
	}
}

_later := {"topic": "shop.baskets", "configs": {"max.decompressed.message.bytes": "1"}}

_of_release(release) := object.union(fixtures.state, {"catalog": {"release": release}})

_denied(document) := {key |
	decisions := data.kafka.decisions with input as document
		with data.settings.compiled as fixtures.compiled(fixtures.settings)
	some key, decision in decisions
	"Unknown topic config name: max.decompressed.message.bytes" in decision.errors
}

# Items of one cluster, or of their own.
test_many[note] if {
	some note, tc in {
		"all of an older one": {"common": {"clusterState": _of_release("4.3.1")}, "denied": {"a", "b"}},
		"all of the newest": {"common": {"clusterState": _of_release("4.4.0")}, "denied": set()},
		"one of its own": {
			"common": {"clusterState": _of_release("4.3.1")},
			"own": {"clusterState": _of_release("4.4.0")},
			"denied": {"a"},
		},
		"only one of an older one": {"common": {}, "own": {"clusterState": _of_release("4.0")}, "denied": {"b"}},
	}
	item := {"operation": "CreateTopic", "request": _later}
	tc.denied == _denied({
		"items": {"a": item, "b": object.union(item, object.get(tc, "own", {}))},
		"common": object.union({"cluster": "prod-eu", "now": fixtures.now}, tc.common),
	})
}
