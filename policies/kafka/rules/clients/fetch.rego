package kafka.rules.clients

import data.kafka.bounds
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
#   message: consumers of {entity} have {name}={actual}, which is {direction} of {limit}
#   fix: set {name} to {limit}
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], []) if {
	input.operation == "AuditClientConfigs"
	params := input.params["KFK-CLI-004"]
	some name, limits in params.bounds
	actual := configs.int32(_of_file("consumer", name))
	broken := bounds.broken(actual, limits)
	args := object.union(broken, {"entity": _entity, "name": name, "actual": actual})
}
