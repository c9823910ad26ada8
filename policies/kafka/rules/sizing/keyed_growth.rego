package kafka.rules.sizing

import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: A keyed topic grows only when that is acknowledged
# description: |
#   With more partitions a key goes to another one, so that its order is lost, and in a compacted topic its old value
#   stays for ever. Kafka does not know whether records have keys; compacted topics do, and a label can say so.
# related_resources:
#   - https://kafka.apache.org/documentation/#basic_ops_modify_topic
# custom:
#   id: KFK-SIZ-006
#   severity: high
#   operations: [AlterTopic]
#   params:
#     keyedLabel:
#       type: string
#       description: "Label that says, with the value true, that the records of the topic have keys."
#     ackLabel:
#       type: string
#       description: Label that acknowledges the growth; its value is the new number of partitions.
#   message: with {after} partitions in place of {before} the keys of this {kind} topic go to other partitions
#   fix: "make a topic with {after} partitions and move to it, or acknowledge the
#     growth with the label {ackLabel}: {after}"
deny contains violation.new(rego.metadata.rule(), args, ["numPartitions"], []) if {
	input.operation == "AlterTopic"
	params := input.params["KFK-SIZ-006"]
	before := input.current.numPartitions
	after := input.requested.numPartitions
	after > before
	topics.label(input.labels, params.ackLabel, "") != json.marshal(after)
	kind := _keyed_topic_kind(params.keyedLabel)
	args := {"before": before, "after": after, "kind": kind, "ackLabel": params.ackLabel}
}

# Compacted before the request or after it.
_keyed_topic_kind(key) := "compacted" if {
	"compact" in input.effective.values["cleanup.policy"]
} else := "compacted" if {
	"compact" in input.current.values["cleanup.policy"]
} else := "keyed" if {
	topics.label(input.labels, key, "") == "true"
}
