package kafka.rules.cleanup

import data.kafka.violation

# METADATA
# title: No records are deleted from topics that are only compacted
# description: |
#   Such a topic holds the latest record of every key; deleting by offset loses keys, and the broker refuses it.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-201%3A+Rationalising+Policy+interfaces
# custom:
#   id: KFK-CMP-006
#   severity: high
#   operations: [DeleteRecords]
#   reversible: false
#   message: records cannot be deleted by offset, since cleanup.policy "{policy}" does not have delete
#   fix: write tombstones for the keys that have to go, or add delete to cleanup.policy
deny contains violation.new(rego.metadata.rule(), args, ["deletedMessageOffsets"], []) if {
	input.operation == "DeleteRecords"
	input.params["KFK-CMP-006"]
	policy := object.get(input.effective.values, "cleanup.policy", ["compact"])
	"compact" in policy
	not "delete" in policy
	args := {"policy": concat(",", policy)}
}
