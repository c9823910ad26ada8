package kafka.rules.retention

import data.kafka.violation

# METADATA
# title: Segments no larger than what is kept
# description: |
#   Only whole segments are deleted, and never the one being written; what is older than retention stays until it rolls.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_segment.ms
#   - https://kafka.apache.org/documentation/#topicconfigs_segment.bytes
# custom:
#   id: KFK-RET-005
#   severity: medium
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   message: "{rolls} {actual} is above {keeps} {limit}: records outlive their retention until the segment rolls"
#   fixes:
#     segment: set {rolls} to {limit} or less
#     both: set {keeps} to {least} or more, and {rolls} to {least}, the least that Kafka takes
deny contains violation.new(rego.metadata.rule(), args, ["configs", rolls], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	"delete" in input.effective.values["cleanup.policy"]
	input.params["KFK-RET-005"]
	some rolls, keeps in {"segment.ms": "retention.ms", "segment.bytes": "retention.bytes"}
	actual := input.effective.values[rolls]
	limit := input.effective.values[keeps]
	actual > limit
	limit >= 0
	fix := _segment_fix(rolls, keeps, limit)
	args := {
		"case": fix.case,
		"rolls": rolls,
		"actual": actual,
		"keeps": keeps,
		"limit": limit,
		"least": fix.least,
	}
	patch := array.flatten([violation.addition(name, json.marshal(fix.least)) | some name in fix.names])
}

# A limit below the least segment is raised to it: Kafka never deletes the segment that is being written.
_segment_fix(rolls, keeps, limit) := {"case": "both", "names": [keeps, rolls], "least": least} if {
	least := data.catalog.topic.configs[rolls].min
	limit < least
} else := {"case": "segment", "names": [rolls], "least": limit}
