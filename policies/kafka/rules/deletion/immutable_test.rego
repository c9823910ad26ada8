package kafka.rules.deletion_test

import data.kafka.rules.deletion as family

_immutable_params := {"KFK-DEL-005": {"patterns": ["_schemas", "audit.*"]}}

_left_alone(topic, why) := {
	"rule": "KFK-DEL-005",
	"severity": "critical",
	"message": sprintf("topic \"%s\" may not be altered or deleted, %s", [topic, why]),
	"fix": "leave it to Kafka, or to those who run the cluster",
	"path": ["topic"],
	"patch": [],
}

test_immutable[topic] if {
	some topic, tc in {
		"shop.orders": {"current": {"internal": false}, "deny": set()},
		"audit.access.log": {
			"current": {"internal": false},
			"deny": {_left_alone("audit.access.log", "\"audit.*\" protects it")},
		},
		"_schemas": {"current": {"internal": false}, "deny": {_left_alone("_schemas", "\"_schemas\" protects it")}},
		"_schemas2": {"current": {"internal": false}, "deny": set()},
		"my.audit.log": {"current": {"internal": false}, "deny": set()},
		"__consumer_offsets": {
			"current": {"internal": true},
			"deny": {_left_alone("__consumer_offsets", "it is internal to Kafka")},
		},
		"audit.internal": {
			"current": {"internal": true},
			"deny": {_left_alone("audit.internal", "it is internal to Kafka")},
		},
	}
	found := family.deny with input as _deletion(_immutable_params, {"topic": topic, "current": tc.current})
	tc.deny == found
}

# What is not known not to be internal is not touched.
test_immutable_where_internal_is_not_known[current] if {
	some current in [{}, {"internal": null}]
	document := object.remove(_deletion(_immutable_params, {}), ["current"])
	found := family.deny with input as object.union(document, {"current": current})
	found == {_left_alone("shop.orders", "it is internal to Kafka")}
}
