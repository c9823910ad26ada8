package kafka.rules.naming

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: Topic name collides with no other in metrics
# description: |
#   Metric names have "_" for ".", so that topics a.b and a_b write the same
#   metrics; newer brokers refuse the second one.
# related_resources:
#   - https://kafka.apache.org/documentation/#monitoring
#   - https://github.com/apache/kafka/blob/4.3/clients/src/main/java/org/apache/kafka/common/internals/Topic.java
# custom:
#   id: KFK-NAM-004
#   severity: medium
#   operations: [CreateTopic, AuditTopic]
#   message: topic name "{topic}" collides with "{other}" in the names of metrics
#   fix: choose a name that differs in more than "." and "_" from {other}
deny contains violation.new(rego.metadata.rule(), {"topic": input.topic, "other": other}, ["topic"], []) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	input.params["KFK-NAM-004"]
	some other in cluster.part(input, "namesByMetric")[replace(input.topic, ".", "_")]
	other != input.topic
}

# METADATA
# scope: rule
# description: Of many names those that the rule has something against, since a scan asks about thousands at once.
candidates contains topic if {
	input.params["KFK-NAM-004"]
	names := cluster.part(input, "namesByMetric")
	some topic in input.topics
	some other in names[replace(topic, ".", "_")]
	other != topic
}
