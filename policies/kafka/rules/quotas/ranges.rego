# METADATA
# title: Quotas
# description: What clients may use of a cluster.
package kafka.rules.quotas

import data.kafka.base.bounds
import data.kafka.base.globs
import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: Every user has quotas, and they are in range
# description: |
#   A client without a quota takes what it can get, and all others wait. A user without a quota of its own has
#   that of the default user, where there is one. Quotas of client ids do not bound a user: each id has its own, and
#   the user chooses its ids.
# related_resources:
#   - https://kafka.apache.org/documentation/#design_quotas
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-55%3A+Secure+Quotas+for+Authenticated+Users
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-599%3A+Throttle+Create+Topic%2C+Create+Partition+and+Delete+Topic+Operations
# custom:
#   id: KFK-QTA-001
#   severity: medium
#   controls: [SOC2 A1.1, ISO27001 A.8.6]
#   order: {of: value, from: limit}
#   operations: [AlterQuota]
#   params:
#     producer_byte_rate: &range
#       type: object
#       additionalProperties: false
#       properties: {min: {type: number, minimum: 0}, max: {type: number, minimum: 0}, required: {type: boolean}}
#       description: "Bytes a second that a client may produce to each broker: least,
#         most, and whether a user must have it."
#     consumer_byte_rate: {<<: *range, description: Bytes a second that a client may fetch from each broker.}
#     request_percentage:
#       <<: *range
#       description: Percentage of the time of each broker's request and network threads.
#     controller_mutation_rate: {<<: *range, description: Partitions a second that a client may create and delete.}
#     exempt:
#       type: array
#       items: {type: string, format: glob}
#       description: "Users of the system itself; * matches any characters."
#   messages:
#     range: "{key} {value} is {direction} of {limit}"
#     missing: >-
#       neither the user nor the default user has a {key}, and those of client ids do not bound a user, which chooses
#       its ids
#   fix: set {key}{range}
deny contains violation.new(rego.metadata.rule(), args, ["ops", key], []) if {
	input.operation == "AlterQuota"
	params := input.params["KFK-QTA-001"]
	not globs.has_match(params.exempt, object.get(input.entity, "user", null))
	some key in _quota_keys
	problem := _quota_range_args(key, params[key])
	args := object.union(problem, {"key": key, "range": _range_text(params[key])})
}

_quota_keys := ["producer_byte_rate", "consumer_byte_rate", "request_percentage", "controller_mutation_rate"]

# None at all is no number that could be nearer to the range: the first quota that a user gets is in it.
_quota_range_args(key, range) := object.union(broken, {"case": "range", "value": value}) if {
	value := input.requested.quotas[key]
	broken := bounds.broken(value, range)
} else := {"case": "missing"} if {
	range.required
	_is_user_only_entity
	not _has_quota(key)
}

# Exactly one quota holds for a connection (KIP-55), and one of a client id bounds that id alone.
_is_user_only_entity if object.keys(input.entity) == {"user"}

_has_quota(key) if is_number(input.requested.quotas[key])

_has_quota(key) if {
	is_string(input.entity.user)
	is_number(cluster.part(input, "quotas")["user=<default>"][key])
}

_range_text(range) := concat(" and", [words |
	some [name, side] in [["min", "at least"], ["max", "at most"]]
	limit := range[name]
	words := $" {side} {limit}"
])
