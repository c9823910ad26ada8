# METADATA
# title: Topics
# description: |
#   The states of a topic that rules compare, as KIP-201 has them: `current` (null where there is none yet) and
#   `requested`, what the topic will be if the request succeeds; and what Kafka itself would refuse.
# scope: subpackages
package kafka.topics

import data.kafka.cluster
import data.kafka.configs

# METADATA
# description: The prepared part of a document about a topic, by operation.
subject(document) := _create(document) if document.operation == "CreateTopic"

subject(document) := _alter(document) if document.operation == "AlterTopic"

subject(document) := _audit(document) if document.operation == "AuditTopic"

# METADATA
# description: Kafka's own refusals of a request about a topic, by operation.
refusals(document) := _create_refusals(document) if document.operation == "CreateTopic"

refusals(document) := _alter_refusals(document) if document.operation == "AlterTopic"

refusals(document) := _missing(document) if document.operation == "AuditTopic"

# What the cluster has, with its overrides typed; undefined where it has no such topic.
_current(document) := object.union(_as_stored(name, topic), {
	"replicationFactor": _replication_factor(topic.replicasAssignments, object.get(topic, "reassigning", {}), topic),
	"values": configs.values(topic.configs),
}) if {
	name := document.request.topic
	topic := cluster.topic(document, name)
}

_as_stored(name, topic) := object.union({"internal": _internal(name), "markedForDeletion": false, "labels": {}}, topic)

_internal(name) := name in data.catalog.topic.internal

# During a reassignment a topic counts as what it will be once that is done: the replicas without those being removed.
# The KIP leaves this open; rules about what a topic is asked to become must not see a passing state.
_replication_factor(assignments, reassigning, _) := count([broker |
	some broker in assignments["0"]
	not broker in reassigning["0"].removing
])

_replication_factor(assignments, _, topic) := topic.replicationFactor if not assignments["0"]
