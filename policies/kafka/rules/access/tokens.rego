package kafka.rules.access

import data.kafka.violation

# METADATA
# title: Delegation tokens are short-lived
# description: |
#   Whoever has a delegation token is its owner until it ends, also after the owner's password was changed. A token that
#   names no lifetime has the brokers' own, `delegation.token.max.lifetime.ms`, which no request can exceed.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-48+Delegation+token+support+for+Kafka
# custom:
#   id: KFK-ACL-005
#   severity: high
#   controls: [SOC2 CC6.1, ISO27001 A.5.17]
#   operations: [CreateDelegationToken, RenewDelegationToken, ExpireDelegationToken]
#   params:
#     max: {type: integer, minimum: 1, description: "Longest time that a token is good, in milliseconds."}
#     default:
#       type: integer
#       minimum: 1
#       description: "The brokers' delegation.token.max.lifetime.ms, for tokens that name no lifetime."
#   messages:
#     lifetime: a token that lives {actual} ms is above the maximum of {limit} ms
#     default: a token that names no lifetime lives {actual} ms, above the maximum of {limit} ms
#     period: a token that ends in {actual} ms is above the maximum of {limit} ms
#   fix: "ask for at most {limit} ms"
deny contains violation.new(rego.metadata.rule(), object.union(problem, {"limit": params.max}), [field], []) if {
	input.operation in {"CreateDelegationToken", "ExpireDelegationToken", "RenewDelegationToken"}
	params := input.params["KFK-ACL-005"]
	field := _period_field_by_operation[input.operation]
	problem := _period_args(input.request[field], input.operation, params)
	problem.actual > params.max
}

_period_field_by_operation := {
	"CreateDelegationToken": "maxLifetimeMs",
	"ExpireDelegationToken": "expiryTimePeriodMs",
	"RenewDelegationToken": "renewPeriodMs",
}

_period_args(period, "CreateDelegationToken", _) := {"case": "lifetime", "actual": period} if period > 0

_period_args(period, "CreateDelegationToken", params) := {"case": "default", "actual": params["default"]} if period <= 0

_period_args(period, operation, _) := {"case": "period", "actual": period} if operation != "CreateDelegationToken"
