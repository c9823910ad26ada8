package kafka.rules.sizing

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: Topics and partitions of a team under its quota
# description: |
#   What one team takes, the others lack. A topic counts for the team that its owner
#   label names, else for the principal that asks.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-578%3A+Add+configuration+to+limit+number+of+partitions
# custom:
#   id: KFK-SIZ-003
#   severity: high
#   operations: [CreateTopic, AlterTopic]
#   params:
#     maxTopics: {type: integer, minimum: 1, description: Most topics of a team.}
#     maxPartitions: {type: integer, minimum: 1, description: Most partitions of a team.}
#     labelKey: {type: string, description: Label that names the team.}
#     byTeam:
#       type: object
#       description: Other maxima for some teams, by name.
#       additionalProperties:
#         type: object
#         additionalProperties: false
#         properties: {maxTopics: {type: integer, minimum: 0}, maxPartitions: {type: integer, minimum: 0}}
#   message: "{problem}"
#   fix: "{remedy}"
deny contains violation.new(rego.metadata.rule(), args, [field], []) if {
	input.operation in {"CreateTopic", "AlterTopic"}
	params := input.params["KFK-SIZ-003"]
	some kind, more in _added
	more > 0
	args := _quota_problem(kind, more, _tenant(params.labelKey), params)
	field := _fields[kind]
}

_added := {
	"topics": _one(input.current),
	"partitions": _partitions(input.requested) - _partitions(input.current),
}

_one(null) := 1

_one(topic) := 0 if topic != null

_fields := {"topics": "topic", "partitions": "numPartitions"}

_quotas := {"topics": "maxTopics", "partitions": "maxPartitions"}

_quota_problem(kind, more, tenant, params) := {
	"problem": $"it is not known how many {kind} {tenant.words} has",
	"remedy": _tell_quota(tenant),
} if {
	not _counted(tenant.held, kind)
} else := {
	"problem": $"{tenant.words} would have {total} {kind}, above the maximum of {limit}",
	"remedy": "delete topics that nobody uses, use fewer partitions, or ask for a higher quota",
} if {
	total := tenant.held[kind] + more
	limit := object.get(params.byTeam, [tenant.name, _quotas[kind]], params[_quotas[kind]])
	total > limit
}

_tell_quota(tenant) := cluster.remedy(concat(".", ["totals", tenant.part]))

_counted(held, kind) if is_number(held[kind])
