package kafka.rules.config_keys_test

import data.kafka.rules.config_keys as family

_deprecated_keys_input(operation, version, overrides) := {
	"operation": operation,
	"params": {"KFK-CFG-001": {"version": version}},
	"requested": {"configs": overrides},
}

_catalogued := {
	"a": {"since": "3.6", "removed": "4.0", "instead": "use b"},
	"z": {"since": "3.10", "removed": "5.0", "instead": "remove it"},
}

_deprecated_violation(name) := {
	"rule": "KFK-CFG-001",
	"severity": "medium",
	"message": sprintf("%s is deprecated since Kafka %s and gone in %s", [
		name,
		_catalogued[name].since,
		_catalogued[name].removed,
	]),
	"fix": sprintf("for Kafka %s and later: %s", [_catalogued[name].removed, _catalogued[name].instead]),
	"path": ["configs", name],
	"patch": [{"op": "remove", "path": concat("", ["/configs/", name])}],
}

# Versions are numbers: 3.10 is after 3.9.
test_deprecated[note] if {
	some note, tc in {
		"none set": {"version": "4.3", "overrides": {"retention.ms": "1"}, "names": set()},
		"the version before": {"version": "3.5", "overrides": {"a": "1"}, "names": set()},
		"that version": {"version": "3.6", "overrides": {"a": "1"}, "names": {"a"}},
		"a later one": {"version": "4.0", "overrides": {"a": ""}, "names": {"a"}},
		"3.9 is before 3.10": {"version": "3.9", "overrides": {"a": "1", "z": "1"}, "names": {"a"}},
		"3.10 is not": {"version": "3.10", "overrides": {"a": "1", "z": "1"}, "names": {"a", "z"}},
	}
	deny := family.deny with input as _deprecated_keys_input("CreateTopic", tc.version, tc.overrides)
		with data.catalog.deprecated.topic as _catalogued
	deny == {_deprecated_violation(name) | some name in tc.names}
}

test_what_the_catalogue_deprecates if {
	deny := family.deny with input as _deprecated_keys_input("AuditTopic", "3.6", {name: "1" |
		some name, _ in data.catalog.deprecated.topic
	})
	{["configs", "message.format.version"], ["configs", "message.timestamp.difference.max.ms"]} == {found.path |
		some found in deny
	}
}

# A setting is looked for among those that the catalogue of topics lacks: one that it still has would not be noticed.
test_what_is_deprecated_is_no_longer_in_the_catalogue_of_topics if {
	object.keys(data.catalog.deprecated.topic) & object.keys(data.catalog.topic.types) == set()
}
