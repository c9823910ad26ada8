package kafka.rules.naming

import data.kafka.base.globs
import data.kafka.violation

# METADATA
# title: No user topic under a reserved prefix
# description: |
#   Brokers and tools treat topics with such names as their own; a user's topic among them
#   is hidden, or damaged by the next upgrade.
# related_resources:
#   - https://github.com/apache/kafka/blob/4.3/clients/src/main/java/org/apache/kafka/common/internals/Topic.java
# custom:
#   id: KFK-NAM-005
#   severity: high
#   operations: [CreateTopic, AuditTopic]
#   params:
#     reservedPrefixes:
#       type: array
#       items: {type: string}
#       description: What only names of internal topics begin with.
#     exempt:
#       type: array
#       items: {type: string, format: glob}
#       description: "Topics of Kafka's own components and of the platform; * matches any characters."
#   message: topic name "{topic}" begins with the reserved prefix {prefix}
#   fix: choose a name that does not begin with {prefix}; a name cannot be changed after creation
deny contains violation.new(rego.metadata.rule(), args, ["topic"], []) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	params := input.params["KFK-NAM-005"]
	reserved := [prefix | some prefix in params.reservedPrefixes; startswith(input.topic, prefix)]
	prefix := reserved[0]
	not input.requested.internal
	not globs.has_match(params.exempt, input.topic)
	args := {"topic": input.topic, "prefix": prefix}
}

# METADATA
# scope: rule
# description: Of many names those that the rule has something against, since a scan asks about thousands at once.
candidates contains topic if {
	params := input.params["KFK-NAM-005"]
	not input.requested.internal
	strings.any_prefix_match(input.topics, params.reservedPrefixes)
	some topic in input.topics
	strings.any_prefix_match(topic, params.reservedPrefixes)
	not globs.has_match(params.exempt, topic)
}
