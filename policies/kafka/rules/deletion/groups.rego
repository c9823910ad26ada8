package kafka.rules.deletion

import data.kafka.base.globs
import data.kafka.violation

# METADATA
# title: Protected groups are not deleted and keep their offsets
# description: |
#   A group without its offsets begins again where auto.offset.reset says: it processes all records once more, or none
#   of those that it had not read; so does one whose offsets are put elsewhere. Kafka keeps no copy of what was there.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-229%3A+DeleteGroups+API
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-496%3A+Administrative+API+to+delete+consumer+offsets
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-932%3A+Queues+for+Kafka
# custom:
#   id: KFK-DEL-006
#   severity: critical
#   operations: [DeleteGroup, AlterGroupOffsets, DeleteGroupOffsets]
#   reversible: false
#   params:
#     patterns:
#       type: array
#       items: {type: string, format: glob}
#       description: "Ids of groups that are not deleted and keep their offsets; * matches any characters."
#   messages:
#     group: group "{group}" may not be deleted, "{pattern}" protects it
#     altered: offsets of group "{group}" may not be altered, "{pattern}" protects it
#     offsets: offsets of group "{group}" may not be deleted, "{pattern}" protects it
#   fix: leave the group to those who run what reads by it, or give it a waiver
deny contains violation.new(rego.metadata.rule(), args, ["group"], []) if {
	input.operation in {"DeleteGroup", "AlterGroupOffsets", "DeleteGroupOffsets"}
	params := input.params["KFK-DEL-006"]
	group := input.request.group
	protecting := globs.matches(params.patterns, group)
	args := {"case": _loss_case, "group": group, "pattern": protecting[0]}
}

# What goes.
default _loss_case := "offsets"

_loss_case := "group" if input.operation == "DeleteGroup"

_loss_case := "altered" if input.operation == "AlterGroupOffsets"
