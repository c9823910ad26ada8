# METADATA
# title: Tiered storage
# description: What brokers keep on their own disks, and what they hand over to a remote store.
package kafka.rules.tiering

import data.kafka.violation

# METADATA
# title: Local retention is part of all retention
# description: Brokers keep locally no more than there is; without tiered storage there is nothing but local.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_local.retention.ms
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-405%3A+Kafka+Tiered+Storage
# custom:
#   id: KFK-TIE-001
#   severity: medium
#   order: {of: above, from: limit, unlimited: true}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   messages:
#     idle: "{name} {actual} has no effect without remote.storage.enable"
#     above: "{name} {actual} is above {total} {limit}"
#   fixes:
#     idle: remove {name}, or set remote.storage.enable to true
#     above: set {name} to -2, which is the whole of {total}, or to a number from 0 to {limit}
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	input.params["KFK-TIE-001"]
	some name, total in {"local.retention.ms": "retention.ms", "local.retention.bytes": "retention.bytes"}
	actual := input.effective.values[name]
	actual >= -1
	problem := _local_retention_args(name, actual, total)
	args := object.union({"name": name, "actual": actual, "total": total}, problem)
	patch := _local_retention_patch(problem.case, name)
}

# What a topic inherits is of no account until it has a remote store.
_local_retention_args(name, actual, total) := {"case": "idle"} if {
	not input.effective.values["remote.storage.enable"]
	input.requested.values[name]
} else := {"case": "above", "above": actual, "limit": limit} if {
	input.effective.values["remote.storage.enable"] == true
	limit := input.effective.values[total]
	limit >= 0
	_is_above(actual, limit)
}

_local_retention_patch("idle", name) := violation.removal(name)

# Beneath an override there may be a default that is above as well.
_local_retention_patch("above", name) := violation.addition(name, "-2")

# -1 is no limit.
_is_above(-1, _) := true

_is_above(actual, limit) if actual > limit
