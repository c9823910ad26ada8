package kafka.rules.retention

import data.kafka.violation

# METADATA
# title: Segments no larger than what is kept
# description: |
#   Only whole segments are deleted, and not the one being written while any of its records is to be kept; what is
#   older than retention stays until it rolls.
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
#     both: set {keeps} to {kept} or more, and {rolls} to {least}, the least that it may be
deny contains violation.new(rego.metadata.rule(), args, ["configs", rolls], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	"delete" in input.effective.values["cleanup.policy"]
	input.params["KFK-RET-005"]
	some rolls, keeps in {"segment.ms": "retention.ms", "segment.bytes": "retention.bytes"}
	actual := input.effective.values[rolls]
	limit := input.effective.values[keeps]
	actual > limit
	limit >= 0
	least := max([data.catalog.topic.configs[rolls].min, object.get(input.params, ["KFK-RET-006", "min", rolls], 0)])
	mended := _mended_values(rolls, keeps, limit, least)
	args := {
		"case": _segment_case(limit, least),
		"rolls": rolls,
		"actual": actual,
		"keeps": keeps,
		"limit": limit,
		"least": least,
		"kept": object.get(mended, keeps, limit),
	}
	patch := array.flatten([violation.addition(name, json.marshal(mended[name])) | some name in [keeps, rolls]])
}

# A limit below the least segment is raised to it: Kafka keeps the one that is being written.
_mended_values(rolls, keeps, limit, least) := {
	keeps: max([least, _least_retention[keeps]]),
	rolls: least,
} if {
	limit < least
} else := {rolls: limit}

_segment_case(limit, least) := "both" if limit < least

_segment_case(limit, least) := "segment" if limit >= least

_least_retention := {
	"retention.ms": object.get(input.params, ["KFK-RET-001", "min"], 0),
	"retention.bytes": object.get(input.params, ["KFK-RET-002", "min"], 0),
}
