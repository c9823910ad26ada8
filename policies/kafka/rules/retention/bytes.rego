package kafka.rules.retention

import data.kafka.base.bounds
import data.kafka.violation

# METADATA
# title: retention.bytes within bounds
# description: |
#   Time alone does not limit what a topic takes of a disk; the longer it keeps, the more a burst of records fills.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_retention.bytes
# custom:
#   id: KFK-RET-002
#   severity: medium
#   controls: [SOC2 A1.1, ISO27001 A.8.6]
#   order: {of: actual, from: limit, unlimited: true}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   reversible: false
#   params:
#     min: {type: integer, direction: least, minimum: 0, description: Least number of bytes that a partition keeps.}
#     max:
#       type: integer
#       direction: greatest
#       minimum: 0
#       description: Greatest number of bytes that a partition keeps.
#     unlimitedUpTo:
#       type: integer
#       minimum: 0
#       description: Longest retention.ms of topics that may do without; 0 for none.
#   message: retention.bytes {actual} is {direction} of {limit}
#   fix: set retention.bytes to {limit}
deny contains violation.new(rego.metadata.rule(), args, ["configs", "retention.bytes"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	"delete" in input.effective.values["cleanup.policy"]
	params := input.params["KFK-RET-002"]
	actual := input.effective.values["retention.bytes"]
	retention_ms := input.effective.values["retention.ms"]
	not _can_be_unlimited(actual, retention_ms, params)
	broken := bounds.broken_by_limit(actual, params)
	args := object.union(broken, {"actual": actual})
	patch := violation.addition("retention.bytes", json.marshal(broken.limit))
}

# Where records are soon gone anyway. Any negative number of bytes is no limit in Kafka.
_can_be_unlimited(actual, retention_ms, params) if {
	actual < 0
	retention_ms >= 0
	retention_ms <= params.unlimitedUpTo
}
