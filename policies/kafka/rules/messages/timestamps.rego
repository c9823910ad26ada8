package kafka.rules.messages

import data.kafka.base.bounds
import data.kafka.violation

# METADATA
# title: Timestamps within bounds
# description: |
#   Retention and windows go by the time in a record; one from the future keeps its
#   segment, one from the past is gone at once.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_message.timestamp.type
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-937%3A+Improve+Message+Timestamp+Validation
# custom:
#   id: KFK-MSG-004
#   severity: medium
#   order: {of: actual, from: wanted}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     limits:
#       type: object
#       additionalProperties: false
#       properties:
#         message.timestamp.type:
#           type: object
#           additionalProperties: false
#           required: [allowed]
#           properties:
#             allowed: {type: array, items: {enum: [CreateTime, LogAppendTime]}}
#         message.timestamp.before.max.ms:
#           type: object
#           additionalProperties: false
#           properties: {min: {type: integer, minimum: 0}, max: {type: integer, minimum: 0}}
#         message.timestamp.after.max.ms:
#           type: object
#           additionalProperties: false
#           properties: {min: {type: integer, minimum: 0}, max: {type: integer, minimum: 0}}
#       description: What topics may set each to, as allowed values or as min and max.
#   messages:
#     type: "{name} {actual} is not allowed"
#     range: "{name} {actual} is {direction} of {wanted}"
#   fix: set {name} to {wanted}, or leave it to the cluster
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-MSG-004"]
	some name, limits in params.limits
	actual := input.requested.values[name]
	problem := _timestamp_args(actual, limits)
	args := object.union(problem, {"name": name, "actual": actual})
	patch := violation.removal(name)
}

_timestamp_args(actual, {"allowed": allowed}) := {"case": "type", "wanted": concat(" or ", allowed)} if {
	not actual in allowed
}

_timestamp_args(actual, limits) := {"case": "range", "direction": broken.direction, "wanted": broken.limit} if {
	is_number(actual)
	broken := bounds.broken(actual, limits)
}
