package kafka.rules.deletion

import data.kafka.base.globs
import data.kafka.violation

# METADATA
# title: Internal and audit topics are left alone
# description: |
#   Kafka lets anyone who may delete topics delete __consumer_offsets, and every group's position with it. What proves
#   who did what must not be in the hands of those who did it.
# related_resources:
#   - https://kafka.apache.org/documentation/#basic_ops_modify_topic
# custom:
#   id: KFK-DEL-005
#   severity: critical
#   controls: [PCI-DSS 10.3.2, ISO27001 A.5.33]
#   operations: [AlterTopic, DeleteTopic, DeleteRecords]
#   reversible: false
#   params:
#     patterns:
#       type: array
#       items: {type: string, format: glob}
#       description: "Names of topics that nobody alters or deletes, beside Kafka's
#         internal ones; * matches any characters."
#   messages:
#     internal: topic "{topic}" may not be altered or deleted, it is internal to Kafka
#     protected: topic "{topic}" may not be altered or deleted, "{pattern}" protects it
#   fix: leave it to Kafka, or to those who run the cluster
deny contains violation.new(rego.metadata.rule(), args, ["topic"], []) if {
	input.operation in {"AlterTopic", "DeleteTopic", "DeleteRecords"}
	params := input.params["KFK-DEL-005"]
	args := object.union(_protection_args(params.patterns), {"topic": input.topic})
}

# Where it is not known whether a topic is internal, it may be.
_protection_args(patterns) := {"case": "internal"} if {
	not input.current.internal == false
} else := {"case": "protected", "pattern": matching[0]} if {
	matching := globs.matches(patterns, input.topic)
}
