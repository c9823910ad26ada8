package kafka.rules.config_keys_test

import data.kafka.rules.config_keys as family

_set(operation, vendors, names) := {
	"operation": operation,
	"params": {"KFK-CFG-002": {"vendors": vendors}},
	"requested": {"configs": {name: "1" | some name in names}},
	"change": {"before": {}},
	"clusterState": {"catalog": {"release": data.catalog.topic.kafka}},
}

_unknown(name, vendors, fix) := {
	"rule": "KFK-CFG-002",
	"severity": "high",
	"message": $"{name} is not a setting of topics in Kafka {data.catalog.topic.kafka}{vendors}",
	"fix": fix,
	"path": ["configs", name],
	"patch": [{"op": "remove", "path": concat("", ["/configs/", name])}],
}

_nothing_near := "remove it, or name the vendor whose setting it is in the parameter vendors"

test_unknown[note] if {
	some note, tc in {
		"none": {"vendors": [], "names": [], "deny": set()},
		"known": {"vendors": [], "names": ["retention.ms", "internal.segment.bytes"], "deny": set()},
		"misspelt": {"vendors": [], "names": ["retention_ms"], "deny": {_unknown("retention_ms", "", "use retention.ms")}},
		"in capitals": {"vendors": [], "names": ["Retention.Ms"], "deny": {_unknown("Retention.Ms", "", "use retention.ms")}},
		"a broker's": {
			"vendors": [],
			"names": ["log.retention.hours"],
			"deny": {_unknown("log.retention.hours", "", "use retention.ms")},
		},
		"nothing like it": {"vendors": [], "names": ["retention"], "deny": {_unknown("retention", "", _nothing_near)}},
		"deprecated is another rule's": {"vendors": [], "names": ["message.format.version"], "deny": set()},
		"a vendor's, of none": {
			"vendors": [],
			"names": ["confluent.tier.enable"],
			"deny": {_unknown("confluent.tier.enable", "", _nothing_near)},
		},
		"a vendor's": {"vendors": ["confluent"], "names": ["confluent.tier.enable"], "deny": set()},
		"another vendor's": {
			"vendors": ["redpanda", "aiven"],
			"names": ["confluent.tier.enable", "redpanda.remote.read"],
			"deny": {_unknown("confluent.tier.enable", " or redpanda or aiven", _nothing_near)},
		},
		"a vendor's single name": {"vendors": ["redpanda"], "names": ["write.caching"], "deny": set()},
		"a name is not a prefix": {
			"vendors": ["redpanda"],
			"names": ["write.caching.x"],
			"deny": {_unknown("write.caching.x", " or redpanda", _nothing_near)},
		},
		"the prefix has its dot": {
			"vendors": ["confluent"],
			"names": ["confluents"],
			"deny": {_unknown("confluents", " or confluent", _nothing_near)},
		},
		"several": {
			"vendors": [],
			"names": ["x", "retention.ms", "y"],
			"deny": {_unknown("x", "", _nothing_near), _unknown("y", "", _nothing_near)},
		},
	}
	deny := family.deny with input as _set("CreateTopic", tc.vendors, tc.names)
	tc.deny == deny
}

# A place in a patch is a JSON pointer, whatever the name is.
test_unknown_with_signs_of_pointers if {
	deny := family.deny with input as _set("CreateTopic", [], ["a/b~c"])
	patch := [operation | some violation in deny; some operation in violation.patch]
	patch == [{"op": "remove", "path": "/configs/a~1b~0c"}]
	json.patch({"configs": {"a/b~c": "1"}}, patch) == {"configs": {}}
}

test_of_a_newer_cluster[note] if {
	some note, tc in {
		"its own": {"names": ["x"], "deny": set()},
		"misspelt": {"names": ["retention_ms"], "deny": {_unknown("retention_ms", "", "use retention.ms")}},
	}
	state := {"clusterState": {"catalog": {"release": "9.0"}}}
	deny := family.deny with input as object.union(_set("CreateTopic", [], tc.names), state)
	tc.deny == deny
}

test_of_a_change_what_it_sets[note] if {
	some note, tc in {
		"left alone": {"before": {"x": "1"}, "paths": set()},
		"set anew": {"before": {}, "paths": {["configs", "x"]}},
		"set to another text": {"before": {"x": "2"}, "paths": {["configs", "x"]}},
	}
	document := object.union(_set("AlterTopic", [], ["x"]), {"change": {"before": tc.before}})
	deny := family.deny with input as document
	tc.paths == {violation.path | some violation in deny}
}

# The vendors that the METADATA lets settings name are those of the catalogue.
test_vendors if {
	object.keys(data.catalog.vendors) == {"aiven", "automq", "confluent", "redpanda"}
}

# Beside the vendor's nobody says that it is Kafka's, misspelt.
test_vendors_setting_that_is_spelt_like_kafkas[name] if {
	some name, n in {"retention_ms": 0, "segment_ms": 1}
	document := _set("CreateTopic", ["confluent"], [name])
	deny := family.deny with input as document with data.catalog.vendors.confluent.names as ["retention_ms"]
	n == count(deny)
}
