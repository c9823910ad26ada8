package kafka.rules.clients

import data.kafka.base.bounds
import data.kafka.configs
import data.kafka.violation

# METADATA
# title: Consumers fetch at a measured pace
# description: |
#   A consumer that waits for nothing asks the brokers again and again; one that takes too much at once runs out of
#   memory, and the broker's along with it. Evaluated where the cluster's state has the application's own configs.
# related_resources:
#   - https://kafka.apache.org/documentation/#consumerconfigs_fetch.max.wait.ms
#   - https://kafka.apache.org/documentation/#consumerconfigs_fetch.max.bytes
#   - https://kafka.apache.org/documentation/#consumerconfigs_fetch.min.bytes
# custom:
#   id: KFK-CLI-004
#   severity: low
#   operations: [AuditClientConfigs]
#   params:
#     bounds:
#       type: object
#       description: Least (min) and greatest (max) value of configs; either may be left out.
#       propertyNames: {enum: [fetch.max.bytes, fetch.max.wait.ms, fetch.min.bytes]}
#       additionalProperties:
#         type: object
#         additionalProperties: false
#         properties:
#           min: {type: integer, minimum: 0}
#           max: {type: integer, minimum: 0}
#   messages:
#     range: consumers of {entity} have {name}={actual}, which is {direction} of {limit}
#     value: consumers of {entity} have {name}={actual}, which is not a number that Kafka can read
#   fix: set {name} to {limit}
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], []) if {
	input.operation == "AuditClientConfigs"
	params := input.params["KFK-CLI-004"]
	some name, limits in params.bounds
	text := _static_config_or_default("consumer", name)
	problem := _fetch_violation_args(text, limits)
	args := object.union(problem, {"entity": _entity_text, "name": name})
}

_fetch_violation_args(text, limits) := object.union(broken, {"case": "range", "actual": actual}) if {
	actual := configs.int32(text)
	broken := bounds.broken(actual, limits)
}

# No consumer starts with it; what is in force there nobody can say.
_fetch_violation_args(text, limits) := {
	"case": "value",
	"actual": text,
	"limit": object.get(limits, "min", object.get(limits, "max", null)),
} if {
	not configs.int32(text)
	limits != {}
}
