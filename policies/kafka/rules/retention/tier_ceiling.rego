package kafka.rules.retention

import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: Retention no longer than the tenant's tier includes
# description: Storage is what a tenant pays for; a longer retention belongs to a higher tier.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_retention.ms
# custom:
#   id: KFK-RET-004
#   severity: medium
#   order: {of: actual, from: limit, unlimited: true}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   reversible: false
#   params:
#     labelKey: {type: string, minLength: 1, description: Label that names the tenant's tier.}
#     byTier:
#       type: object
#       required: ["*"]
#       additionalProperties: {type: integer, minimum: 0}
#       description: Longest retention in milliseconds by tier; "*" is for every other tier and for none.
#   message: records are kept {kept}, longer than the {limit} ms included where {labelKey} is {tier}
#   fixes:
#     bound: set retention.ms to {limit}, or move to a higher tier
#     empty: set retention.ms to {limit} and cleanup.policy to delete, or move to a higher tier
deny contains violation.new(rego.metadata.rule(), args, ["configs", "retention.ms"], _ceiling_patch(limit)) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-RET-004"]
	tier := topics.label(input.labels, params.labelKey, "missing")
	limit := object.get(params.byTier, tier, params.byTier["*"])
	actual := _longest_retention
	_is_longer(actual, limit)
	args := {
		"case": _choose_by_policy("bound", "empty"),
		"kept": _duration_text(actual),
		"actual": actual,
		"limit": limit,
		"labelKey": params.labelKey,
		"tier": tier,
	}
}
