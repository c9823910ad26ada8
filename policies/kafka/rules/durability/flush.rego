package kafka.rules.durability

import data.kafka.base.globs
import data.kafka.violation

# METADATA
# title: No forced flush
# description: |
#   Replication is what makes records durable; a flush to disk for every few of them costs throughput and adds little.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_flush.messages
#   - https://kafka.apache.org/documentation/#appvsosflush
# custom:
#   id: KFK-DUR-008
#   severity: medium
#   order: {of: actual, from: never}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   named: [flush.messages, flush.ms]
#   params:
#     allow:
#       type: array
#       items: {type: string, format: glob}
#       description: Names of topics that may; * matches any characters.
#   message: "{name} is {actual}: brokers flush this topic to disk by force"
#   fix: leave {name} at Kafka's default, and have enough replicas and min.insync.replicas
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-DUR-008"]
	some name in {"flush.messages", "flush.ms"}
	actual := input.requested.values[name]
	never := data.catalog.topic.defaults.values[name]
	actual != never
	not globs.has_match(params.allow, input.topic)
	args := {"name": name, "actual": actual, "never": never}
	patch := violation.addition(name, data.catalog.topic.defaults.configs[name])
}
