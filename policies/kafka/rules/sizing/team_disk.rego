package kafka.rules.sizing

import data.kafka.cluster
import data.kafka.configs
import data.kafka.violation

# METADATA
# title: Disk that a team can fill under its quota
# description: |
#   Partitions times replicas times retention.bytes is what a topic can grow to.
#   Counted beforehand, no disk fills up afterwards.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_retention.bytes
# custom:
#   id: KFK-SIZ-004
#   severity: high
#   controls: [SOC2 A1.1, ISO27001 A.8.6]
#   cap: true
#   operations: [CreateTopic, AlterTopic]
#   params:
#     maxBytes:
#       type: integer
#       minimum: 1
#       description: "Most bytes that the topics of a team can grow to, all replicas together."
#     unboundedAs:
#       type: integer
#       minimum: 0
#       description: Bytes that a replica counts for when nothing limits its size.
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
#     unknown: "{remedy}"
#     otherLabel: let owners.owner of the replicator and labelKey of this rule name the same label
#     above: set a lower retention.bytes, use fewer partitions, or ask for a higher quota
deny contains violation.new(rego.metadata.rule(), args, ["configs", "retention.bytes"], []) if {
	input.operation in {"CreateTopic", "AlterTopic"}
	params := input.params["KFK-SIZ-004"]
	more := _added_fillable_bytes(params)
	more > 0
	args := _disk_args(more, _charged_owner(params.labelKey), params)
}

# METADATA
# description: What the topics of the team can grow by.
charge contains [["totals", owner.part, owner.name, "retainedBytes"], more] if {
	input.operation in {"CreateTopic", "AlterTopic"}
	params := input.params["KFK-SIZ-004"]
	owner := _charged_owner(params.labelKey)
	more := _added_fillable_bytes(params)
}

_added_fillable_bytes(params) := _fillable_bytes(after, input.effective.values, params) - _fillable_bytes_before(
	input.current,
	params,
) if {
	after := _topic_replica_count(input.current) + _added_replica_count
}

_fillable_bytes(replicas, values, params) := replicas * _bytes_of_a_replica(values, params)

_fillable_bytes_before(null, _) := 0

_fillable_bytes_before(topic, params) := _fillable_bytes(
	_topic_replica_count(topic),
	configs.effective("topic", input, topic.configs),
	params,
)

# What is only compacted keeps every key, however large that gets.
_bytes_of_a_replica(values, params) := values["retention.bytes"] if {
	"delete" in values["cleanup.policy"]
	values["retention.bytes"] >= 0
} else := params.unboundedAs

_disk_args(more, owner, params) := {
	"case": _unknown_bytes_case(owner.part, params.labelKey),
	"owner": owner.words,
	"labelKey": params.labelKey,
	"remedy": cluster.remedy("totals.byOwner"),
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
_unknown_bytes_case("byOwner", key) := "otherLabel" if {
	_is_counted_by_other_label(key)
} else := "unknown"

_unknown_bytes_case("byPrincipal", _) := "unlabelled"

_is_disk_total_known(held) if {
	is_number(held.retainedBytes)
	is_number(held.unboundedReplicas)
}
