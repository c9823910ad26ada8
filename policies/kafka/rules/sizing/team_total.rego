package kafka.rules.sizing

import data.kafka.violation

# METADATA
# title: Topics and partitions of a team under its quota
# description: |
#   What one team takes, the others lack. A topic counts for the team that its owner label names, else for the
#   principal that asks; one whose owner becomes another, or its first, counts whole.
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
#     otherLabel: it is not known how many {kind} {owner} has, as the state does not count by the label {labelKey}
#     above: "{owner} would have {total} {kind}, above the maximum of {limit}"
#   fixes:
#     unknown: >-
#       ask with a state that tells totals.{part}: warden replicate keeps one in OPA, with which --state replicated
#       asks, and its meta.missing says what it lacks and why
#     otherLabel: let owners.owner of the replicator and labelKey of this rule name the same label
#     above: delete topics that nobody uses, use fewer partitions, or ask for a higher quota
deny contains violation.new(rego.metadata.rule(), args, [field], []) if {
	input.operation in {"CreateTopic", "AlterTopic"}
	params := input.params["KFK-SIZ-003"]
	owner := _charged_owner(params.labelKey) # its name, words, part and what is held: owners.rego
	quotas := object.union(params, object.get(params.byTeam, owner.name, {}))
	some kind, {"more": more, "quota": quota, "field": field} in _gain_by_kind(_counted_topic(params.labelKey))
	more > 0
	args := _team_quota_args(kind, more, owner, quotas[quota])
}

# METADATA
# description: What the team gains.
charge contains [["totals", owner.part, owner.name, kind], added.more] if {
	input.operation in {"CreateTopic", "AlterTopic"}
	key := input.params["KFK-SIZ-003"].labelKey
	owner := _charged_owner(key)
	some kind, added in _gain_by_kind(_counted_topic(key))
}

_gain_by_kind(counted) := {
	"topics": {"more": _added_topic_count(counted), "quota": "maxTopics", "field": "topic"},
	"partitions": {"more": _added_partition_count + uncounted, "quota": "maxPartitions", "field": "numPartitions"},
} if {
	uncounted := _topic_partition_count(input.current) - _topic_partition_count(counted)
}

_team_quota_args(kind, more, owner, limit) := {
	"case": _unknown_total_case(owner.part, key),
	"part": owner.part,
	"effect": object.get(input.params["KFK-SIZ-003"], "whenUnknown", "deny"),
	"kind": kind,
	"owner": owner.words,
	"labelKey": key,
} if {
	key := input.params["KFK-SIZ-003"].labelKey
	not _is_count_known(owner.held, kind)
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

_unknown_total_case("byOwner", key) := "otherLabel" if {
	_is_counted_by_other_label(key)
} else := "unknown"

_unknown_total_case("byPrincipal", _) := "unknown"

_is_count_known(held, kind) if is_number(held[kind])
