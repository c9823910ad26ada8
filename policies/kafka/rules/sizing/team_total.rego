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
#   controls: [SOC2 A1.1, ISO27001 A.8.6]
#   cap: true
#   operations: [CreateTopic, AlterTopic]
#   params:
#     maxTopics: {type: integer, minimum: 1, description: Most topics of a team.}
#     maxPartitions: {type: integer, minimum: 1, description: Most partitions of a team.}
#     labelKey: {type: string, description: Label that names the team.}
#     whenUnknown:
#       type: string
#       enum: [deny, warn]
#       description: "The effect while the cluster's state does not tell how many there are: warn, or as the mode says."
#     byTeam:
#       type: object
#       description: Other maxima for some teams, by name.
#       additionalProperties:
#         type: object
#         additionalProperties: false
#         properties: {maxTopics: {type: integer, minimum: 0}, maxPartitions: {type: integer, minimum: 0}}
#   messages:
#     unknown: it is not known how many {kind} {owner} has
#     above: "{owner} would have {total} {kind}, above the maximum of {limit}"
#   fixes:
#     unknown: "{remedy}"
#     above: delete topics that nobody uses, use fewer partitions, or ask for a higher quota
deny contains violation.new(rego.metadata.rule(), args, [field], []) if {
	input.operation in {"CreateTopic", "AlterTopic"}
	params := input.params["KFK-SIZ-003"]
	owner := _owner_total(params.labelKey)
	quotas := object.union(params, object.get(params.byTeam, owner.name, {}))
	some kind, {"more": more, "quota": quota, "field": field} in _owner_gains
	more > 0
	args := _quota_args(kind, more, owner, quotas[quota])
}

# METADATA
# description: What the team gains.
charge contains [["totals", owner.part, owner.name, kind], added.more] if {
	input.operation in {"CreateTopic", "AlterTopic"}
	owner := _owner_total(input.params["KFK-SIZ-003"].labelKey)
	some kind, added in _owner_gains
}

_owner_gains := {
	"topics": {"more": _added_topics(input.current), "quota": "maxTopics", "field": "topic"},
	"partitions": {"more": _more_partitions, "quota": "maxPartitions", "field": "numPartitions"},
}

_added_topics(null) := 1

_added_topics(topic) := 0 if topic != null

_quota_args(kind, more, owner, limit) := {
	"case": "unknown",
	"effect": object.get(input.params["KFK-SIZ-003"], "whenUnknown", "deny"),
	"kind": kind,
	"owner": owner.words,
	"remedy": _quota_remedy(owner),
} if {
	not _has_count(owner.held, kind)
} else := {
	"case": "above",
	"kind": kind,
	"owner": owner.words,
	"total": total,
	"limit": limit,
} if {
	total := owner.held[kind] + more
	total > limit
}

_quota_remedy(owner) := cluster.remedy(concat(".", ["totals", owner.part]))

_has_count(held, kind) if is_number(held[kind])
