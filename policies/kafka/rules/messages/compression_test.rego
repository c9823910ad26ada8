package kafka.rules.messages_test

import data.kafka.rules.messages as family

_compressed(operation, codec, is_internal) := {
	"operation": operation,
	"params": {"KFK-MSG-002": {"allowed": ["zstd", "lz4"]}},
	"requested": {"internal": is_internal},
	"effective": {"values": {"compression.type": codec}},
}

_compression_violation(actual) := {
	"rule": "KFK-MSG-002",
	"severity": "medium",
	"message": concat(" ", [
		$"compression.type {actual} makes the broker compress anew what producers compress otherwise;",
		"allowed are producer, zstd, lz4",
	]),
	"fix": "set compression.type to producer, and compress in the producers",
	"path": ["configs", "compression.type"],
	"patch": [{"op": "add", "path": "/configs/compression.type", "value": "producer"}],
}

test_compression[codec] if {
	some codec, allowed in {
		"producer": true,
		"zstd": true,
		"lz4": true,
		"gzip": false,
		"snappy": false,
		"uncompressed": false,
		"Producer": false,
	}
	deny := family.deny with input as _compressed("CreateTopic", codec, false)
	deny == {_compression_violation(codec) | not allowed}
}

# Kafka creates __transaction_state uncompressed.
test_compression_of_internal_topics_is_kafkas if {
	deny := family.deny with input as _compressed("AuditTopic", "uncompressed", true)
	deny == set()
}
