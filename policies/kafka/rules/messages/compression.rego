package kafka.rules.messages

import data.kafka.violation

# METADATA
# title: compression.type is the producer's, or one of those allowed
# description: |
#   With any other the broker unpacks what producers compress otherwise and packs it again, at the cost of its
#   processors.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_compression.type
# custom:
#   id: KFK-MSG-002
#   severity: medium
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     allowed:
#       type: array
#       items: {enum: [gzip, lz4, snappy, uncompressed, zstd]}
#       description: Values of compression.type that topics may have besides producer.
#   message: >-
#     compression.type {actual} makes the broker compress anew what producers compress otherwise; allowed are {allowed}
#   fix: set compression.type to producer, and compress in the producers
deny contains violation.new(rego.metadata.rule(), args, ["configs", "compression.type"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	input.requested.internal == false
	params := input.params["KFK-MSG-002"]
	actual := input.effective.values["compression.type"]
	actual != "producer"
	not actual in params.allowed
	args := {"actual": actual, "allowed": concat(", ", array.concat(["producer"], params.allowed))}
	patch := violation.addition("compression.type", "producer")
}
