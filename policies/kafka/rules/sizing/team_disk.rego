package kafka.rules.sizing

import data.kafka.violation

# METADATA
# title: Disk that a team can fill under its quota
# description: |
#   Partitions times replicas times retention.bytes is what a topic can grow to. Counted beforehand, no disk fills up
#   afterwards.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_retention.bytes
# custom:
#   id: KFK-SIZ-004
#   severity: high
#   controls: [SOC2 A1.1, ISO27001 A.8.6]
#   cap: true
#   operations: [CreateTopic, AlterTopic]
#   params:
#     maxBytes: {type: integer, minimum: 1, description: "Most bytes of a team's topics, all replicas together."}
#     unboundedAs: {type: integer, minimum: 0, description: Bytes that a replica without a limit counts for.}
#     labelKey: {type: string, description: Label that names the team.}
#   messages:
#     unlabelled: it is not known how many bytes the topics of {owner} can grow to
#     unknown: it is not known how many bytes the topics of {owner} can grow to
#     otherLabel: >-
#       it is not known how many bytes the topics of {owner} can grow to, as the state does not count by the label
#       {labelKey}
#     above: the topics of {owner} could grow to {total} bytes, above the maximum of {limit}
#   fixes:
#     unlabelled: give the topic the label {labelKey}
#     unknown: >-
#       ask with a state that tells totals.byOwner: warden replicate keeps one in OPA, with which --state replicated
#       asks, and its meta.missing says what it lacks and why
#     otherLabel: let owners.owner of the replicator and labelKey of this rule name the same label
#     above: set a lower retention.bytes, use fewer partitions, or ask for a higher quota
deny contains violation.new(rego.metadata.rule(), args, ["configs", "retention.bytes"], []) if {
	input.operation in {"CreateTopic", "AlterTopic"}
	params := input.params["KFK-SIZ-004"]
	more := _added_fillable_bytes(_counted_topic(params.labelKey), params)
	more > 0
	args := _disk_args(more, _charged_owner(params.labelKey), params)
}

# METADATA
# description: What the topics of the team can grow by.
charge contains [["totals", owner.part, owner.name, "retainedBytes"], more] if {
	input.operation in {"CreateTopic", "AlterTopic"}
	params := input.params["KFK-SIZ-004"]
	owner := _charged_owner(params.labelKey) # its name, words, part and what is held: owners.rego
	more := _added_fillable_bytes(_counted_topic(params.labelKey), params)
}

_disk_args(more, owner, params) := {
	"case": _unknown_bytes_case(owner.part, params.labelKey),
	"owner": owner.words,
	"labelKey": params.labelKey,
} if {
	not _is_disk_total_known(owner.held)
} else := {
	"case": "above",
	"owner": owner.words,
	"total": total,
	"limit": params.maxBytes,
} if {
	held := owner.held.retainedBytes + (owner.held.unboundedReplicas * params.unboundedAs)
	total := held + more
	total > params.maxBytes
}

# Bytes are counted by owner only.
_unknown_bytes_case("byPrincipal", _) := "unlabelled"

_unknown_bytes_case("byOwner", key) := "otherLabel" if _is_counted_by_other_label(key)

_unknown_bytes_case("byOwner", key) := "unknown" if not _is_counted_by_other_label(key)

_is_disk_total_known(held) if {
	is_number(held.retainedBytes)
	is_number(held.unboundedReplicas)
}
