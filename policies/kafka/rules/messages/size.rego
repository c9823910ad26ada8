# METADATA
# title: Messages
# description: Size, compression and time of records.
package kafka.rules.messages

import data.kafka.cluster
import data.kafka.configs
import data.kafka.violation

# METADATA
# title: max.message.bytes under the cap and within what brokers take
# description: |
#   A batch is fetched whole however large it is (KIP-74): beyond the limits that brokers and clients set, it fills
#   their memory.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_max.message.bytes
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-74%3A+Add+Fetch+Response+Size+Limit+in+Bytes
# custom:
#   id: KFK-MSG-001
#   severity: high
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     max:
#       type: integer
#       direction: greatest
#       minimum: 0
#       description: Greatest max.message.bytes, which clients have to be able to fetch.
#     checkBroker:
#       type: array
#       items: {type: string}
#       description: Settings of brokers that a record may not exceed; not looked at for records that any broker takes.
#     anyBroker: {type: integer, minimum: 0, description: Greatest size that any broker takes.}
#   messages:
#     maximum: max.message.bytes {actual} is above {limit}, the maximum
#     brokers: max.message.bytes {actual} is above {limit}, the brokers' {name}
#   fix: set max.message.bytes to {limit} or less, and keep larger payloads elsewhere
deny contains violation.new(rego.metadata.rule(), args, ["configs", "max.message.bytes"], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-MSG-001"]

	# A size that is not known counts as above the maximum.
	actual := object.get(input.effective.values, "max.message.bytes", params.max + 1)
	actual > min([params.max, params.anyBroker])
	[limit, case, name] := min(_size_bounds(params))
	actual > limit
	args := {"case": case, "actual": actual, "limit": limit, "name": name}
	patch := violation.addition("max.message.bytes", json.marshal(limit))
}

_size_bounds(params) := {[params.max, "maximum", ""]} | {[limit, "brokers", name] |
	some name in params.checkBroker
	limit := configs.int64(cluster.broker_default(input, name))
	limit < params.max
}
