package kafka.rules.brokers

import data.kafka.bounds
import data.kafka.brokers
import data.kafka.violation

# METADATA
# title: Retention and segments of a broker are within bounds
# description: |
#   What a broker keeps by default, all topics without an override keep; it is the
#   cheapest way to fill every disk, or to empty it.
# related_resources:
#   - https://kafka.apache.org/documentation/#brokerconfigs_log.retention.ms
#   - https://kafka.apache.org/documentation/#brokerconfigs_log.segment.bytes
# custom:
#   id: KFK-BRK-003
#   severity: medium
#   operations: [AlterBroker, StartBroker, AuditBroker]
#   params:
#     bounds:
#       type: object
#       description: Least and greatest value of each config. log.retention.ms stands for
#         log.retention.minutes and .hours too.
#       additionalProperties:
#         type: object
#         additionalProperties: false
#         properties: {min: {type: integer}, max: {type: integer}}
#   message: "{name} {actual} is {direction} of {limit}"
#   fix: set {name} to {limit}
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"AlterBroker", "StartBroker", "AuditBroker"}
	params := input.params["KFK-BRK-003"]
	some name, limits in params.bounds
	actual := _kept(name, brokers.known_values(input))
	broken := _broken(actual, limits)
	args := object.union(broken, {"name": name, "actual": actual})
	patch := brokers.patch(input, name, json.marshal(broken.limit))
}

_broken(actual, limits) := bounds.broken(actual, limits) if actual >= 0

# -1 is no limit, so above any.
_broken(actual, limits) := {"direction": "above the maximum", "limit": limits.max} if actual < 0

# Kafka takes milliseconds before minutes, and those before hours.
_kept(name, values) := actual if {
	actual := values[name]
} else := [ms |
	some [unit_name, unit] in [["log.retention.minutes", "1m"], ["log.retention.hours", "1h"]]
	ms := (values[unit_name] * time.parse_duration_ns(unit)) / time.parse_duration_ns("1ms")
][0] if {
	name == "log.retention.ms"
}
