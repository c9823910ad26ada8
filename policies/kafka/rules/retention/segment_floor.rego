package kafka.rules.retention

import data.kafka.violation

# METADATA
# title: Segments not too small
# description: Every segment of every partition is three open files; tiny ones exhaust file handles and memory maps.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_segment.bytes
#   - https://kafka.apache.org/documentation/#topicconfigs_segment.ms
# custom:
#   id: KFK-RET-006
#   severity: medium
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     min:
#       type: object
#       additionalProperties: false
#       required: [segment.bytes, segment.ms]
#       properties:
#         segment.bytes: {type: integer, minimum: 0}
#         segment.ms: {type: integer, minimum: 0}
#       description: Least segment.bytes and segment.ms.
#   message: "{name} {actual} is below the minimum of {limit}"
#   fix: set {name} to {limit}
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-RET-006"]
	some name, limit in params.min
	actual := input.effective.values[name]
	actual < limit
	args := {"name": name, "actual": actual, "limit": limit}
	patch := violation.addition(name, json.marshal(limit))
}
