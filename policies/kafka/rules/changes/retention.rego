# METADATA
# title: Changes
# description: Before and after - what a change may take away, and when it may be made.
package kafka.rules.changes

import data.kafka.base.bounds
import data.kafka.changes
import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: Retention does not shrink far without approval
# description: |
#   A shorter retention deletes records within minutes, and nothing brings them back. What counts is what is in force:
#   removing an override shrinks retention just as well, and so does another default of the brokers.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_retention.ms
#   - https://kafka.apache.org/documentation/#topicconfigs_retention.bytes
# custom:
#   id: KFK-CHG-001
#   severity: critical
#   controls: [SOC2 CC8.1, PCI-DSS 6.5.1, ISO27001 A.5.33, ISO27001 A.8.32]
#   operations: [AlterTopic]
#   inherited: true
#   reversible: false
#   params:
#     maxShrinkRatio:
#       type: number
#       minimum: 0
#       maximum: 1
#       description: "Share of a retention that may be cut off without approval; going
#         from no limit to any needs it always."
#     approvalLabel: {type: string, description: Label of the topic by which someone approves the loss.}
#   messages:
#     less: "{name} shrinks from {before} to {after}, below the {limit} that needs no approval"
#     limited: "{name} goes from {before}, which is no limit, to {after}, which needs approval"
#   fixes:
#     less: keep {name} at {limit} or more, or have the topic labelled {label} by whoever answers for its data
#     limited: keep {name} at {before}, or have the topic labelled {label} by whoever answers for its data
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], []) if {
	input.operation == "AlterTopic"
	params := input.params["KFK-CHG-001"]
	some name in ["retention.ms", "retention.bytes"]
	change := changes.config_changes[name]
	"falls" in change.directions
	problem := _shrink_args(change.before, change.after, params)
	"delete" in input.effective.values["cleanup.policy"]
	not _has_approval_label(params.approvalLabel)
	said := {"name": name, "before": change.before, "after": change.after, "label": params.approvalLabel}
	args := object.union(said, problem)
}

_has_approval_label(label) if topics.label(input.labels, label, "") != ""

# -1 is no limit, and every limit is too far from it.
_shrink_args(-1, _, _) := {"case": "limited"}

_shrink_args(before, after, params) := {"case": "less", "limit": least} if {
	before != -1
	least := before - bounds.share(before, params.maxShrinkRatio)
	after < least
}
