package kafka.rules.changes

import data.kafka.changes
import data.kafka.violation

# METADATA
# title: cleanup.policy changes only as allowed
# description: |
#   Turning compaction on drops every record but the last of its key, and refuses records without one; turning deletion
#   on drops the state that compacted topics keep for ever. Neither comes back when the policy does. A topic without an
#   override changes with the default of the brokers.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_cleanup.policy
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-1161
# custom:
#   id: KFK-CHG-002
#   severity: critical
#   controls: [SOC2 CC8.1, PCI-DSS 6.5.1, ISO27001 A.8.32]
#   operations: [AlterTopic]
#   inherited: true
#   reversible: false
#   params:
#     transitions:
#       type: array
#       description: "Changes that are allowed: cleanup.policy before and after, \"\" for the empty list."
#       items:
#         type: object
#         additionalProperties: false
#         required: [from, to]
#         properties: {from: {type: string}, to: {type: string}}
#   message: cleanup.policy may not go from "{from}" to "{to}"
#   fix: keep cleanup.policy "{from}", and create another topic for data that is cleaned up as "{to}"
deny contains violation.new(rego.metadata.rule(), args, ["configs", "cleanup.policy"], []) if {
	input.operation == "AlterTopic"
	params := input.params["KFK-CHG-002"]
	change := changes.config_changes["cleanup.policy"]
	from := _policy_text(change.before)
	to := _policy_text(change.after)
	from != to
	not _is_allowed_transition(from, to, params.transitions)
	args := {"from": from, "to": to}
}

_is_allowed_transition(from, to, transitions) if {
	some transition in transitions
	_policy_text(split(transition.from, ",")) == from
	_policy_text(split(transition.to, ",")) == to
}

# A list in one spelling: its order and repetitions mean nothing.
_policy_text(list) := concat(",", sort({trim_space(member) | some member in list}))
