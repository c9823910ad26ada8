package kafka.rules.stored_test

import data.kafka.configs
import data.kafka.rules.stored as family

_kinds := {"AuditTopic": "topic", "AuditBroker": "broker", "AlterTopic": "topic"}

_stored(operation, overrides) := {
	"operation": operation,
	"params": {"KFK-STO-001": {}},
	"requested": {"configs": overrides, "values": configs.values(_kinds[operation], overrides)},
}

_violation(name, [shown, of, said]) := {
	"rule": "KFK-STO-001",
	"severity": "high",
	"message": sprintf("Invalid value %s for configuration %s: %s", [shown, of, said]),
	"fix": sprintf("set %s to a value of its type and within its bounds, or remove it", [name]),
	"path": ["configs", name],
	"patch": [{"op": "remove", "path": concat("", ["/configs/", name])}],
}

test_values[note] if {
	some note, tc in {
		"none": {"operation": "AuditTopic", "configs": {}, "problems": {}},
		"valid ones, as Java reads them": {
			"operation": "AuditTopic",
			"configs": {
				"retention.ms": " +7 ",
				"retention.bytes": "-1",
				"preallocate": "TRUE",
				"min.cleanable.dirty.ratio": "5e-1",
			},
			"problems": {},
		},
		"a formula": {
			"operation": "AuditTopic",
			"configs": {"retention.ms": "=1+1"},
			"problems": {"retention.ms": ["=1+1", "retention.ms", "Not a number of type LONG"]},
		},
		"several at once": {
			"operation": "AuditTopic",
			"configs": {"segment.bytes": "2147483648", "preallocate": "yes", "retention.ms": "1", "compression.type": "rar"},
			"problems": {
				"segment.bytes": ["2147483648", "segment.bytes", "Not a number of type INT"],
				"preallocate": ["yes", "preallocate", "Expected value to be either true or false"],
				"compression.type": [
					"rar",
					"compression.type",
					"String must be one of: uncompressed, zstd, lz4, snappy, gzip, producer",
				],
			},
		},
		"below the least that stands for no limit": {
			"operation": "AuditTopic",
			"configs": {"retention.ms": "-2"},
			"problems": {"retention.ms": ["-2", "retention.ms", "Value must be at least -1"]},
		},
		"above the most": {
			"operation": "AuditTopic",
			"configs": {"min.cleanable.dirty.ratio": "1.5"},
			"problems": {"min.cleanable.dirty.ratio": ["1.5", "min.cleanable.dirty.ratio", "Value must be no more than 1"]},
		},
		"a name that is nobody's has no type": {"operation": "AuditTopic", "configs": {"x.ms": "=1+1"}, "problems": {}},
		"a listener's name says nothing of a topic": {
			"operation": "AuditTopic",
			"configs": {"listener.name.a.max.connections": "many"},
			"problems": {},
		},
		"what a broker does not tell": {"operation": "AuditBroker", "configs": {"ssl.key.password": null}, "problems": {}},
		"a broker's": {
			"operation": "AuditBroker",
			"configs": {"num.io.threads": "0", "log.retention.ms": "x"},
			"problems": {
				"num.io.threads": ["0", "num.io.threads", "Value must be at least 1"],
				"log.retention.ms": ["x", "log.retention.ms", "Not a number of type LONG"],
			},
		},
		"a listener's": {
			"operation": "AuditBroker",
			"configs": {"listener.name.a.max.connections": "many", "listener.name.b.max.connections": "3"},
			"problems": {"listener.name.a.max.connections": ["many", "max.connections", "Not a number of type INT"]},
		},
		"a change is refused in Kafka's own words": {
			"operation": "AlterTopic",
			"configs": {"retention.ms": "=1+1"},
			"problems": {},
		},
	}
	deny := family.deny with input as _stored(tc.operation, tc.configs)
	deny == {_violation(name, problem) | some name, problem in tc.problems}
}

test_where_the_rule_has_no_parameters if {
	stored := _stored("AuditTopic", {"retention.ms": "=1+1"})
	family.deny == set() with input as object.remove(stored, ["params"])
}
