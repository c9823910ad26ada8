package kafka.rules.deletion

import data.kafka.base.globs
import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: No record is deleted before every group has read it
# description: |
#   Kafka's DeleteRecords looks at no group; what a group has not committed yet is gone for it without a word.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-107%3A+Add+deleteRecordsBefore%28%29+API+in+AdminClient
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-201%3A+Rationalising+Policy+interfaces
# custom:
#   id: KFK-DEL-004
#   severity: critical
#   controls: [SOC2 PI1.5, ISO27001 A.5.33]
#   operations: [DeleteRecords]
#   reversible: false
#   params:
#     groups:
#       type: array
#       items: {type: string, format: glob}
#       description: "Groups that must have read what goes; * matches any characters."
#   messages:
#     behind: "records of partition {partition} below {end} may be unread, group {group} has committed {committed}"
#     all: "records of partition {partition} below {end} may be unread, group {group} has committed {committed}"
#     consumers: >-
#       records of partition {partition} below {end} may be unread,
#       the cluster's state does not tell which groups read it
#   fixes:
#     behind: >-
#       wait until the group has committed {end}, delete up to what it has committed,
#       or delete the group's offsets if it is gone
#     all: >-
#       name the offset {committed} or a lower one instead of -1, since more may be written at any time, or delete the
#       group's offsets if it is gone
#     consumers: >-
#       ask with a state that tells consumers: warden replicate keeps one in OPA, with which --state replicated
#       asks, and its meta.missing says what it lacks and why
deny contains violation.new(rego.metadata.rule(), args, ["deletedMessageOffsets", partition], []) if {
	input.operation == "DeleteRecords"
	params := input.params["KFK-DEL-004"]
	some partition, offset in input.deletedMessageOffsets
	unread := _unread_loss_args(partition, offset, params.groups)
	args := object.union(unread, {"partition": partition, "end": _deletion_end_text(offset)})
}

# The slowest of the groups that count. One that has committed nothing has read nothing.
_unread_loss_args(partition, offset, patterns) := {"case": case, "group": slowest[1], "committed": slowest[0]} if {
	groups := object.get(cluster.part(input, "consumers"), input.topic, {})
	slowest := min({[object.get(consumer, ["offsets", partition], 0), group] |
		some group, consumer in groups
		globs.has_match(patterns, group)
	})
	case := _unread_case(offset, slowest[0])
} else := {"case": "consumers"} if {
	not cluster.part(input, "consumers")
}

# The high watermark, which -1 stands for, is beyond what any group is known to have read.
_unread_case(-1, _) := "all"

_unread_case(offset, committed) := "behind" if offset > committed

_deletion_end_text(-1) := "the high watermark"

_deletion_end_text(offset) := $"offset {offset}" if offset != -1
