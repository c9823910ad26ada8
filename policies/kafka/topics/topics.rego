# METADATA
# title: Topics
# description: |
#   The states of a topic that rules compare, as KIP-201 has them: `current` (null where there is none yet) and
#   `requested`, what the topic will be if the request succeeds; and what Kafka itself would refuse.
# scope: subpackages
package kafka.topics

import data.kafka.configs

# METADATA
# description: The prepared part of a document about a topic, by operation.
subject(document) := _create(document) if document.operation == "CreateTopic"

subject(document) := _alter(document, stored(document)) if document.operation == "AlterTopic"

subject(document) := _audit(document, stored(document)) if document.operation == "AuditTopic"

# METADATA
# description: Kafka's own refusals of a request about a topic, by operation.
refusals(document) := _create_refusals(document) if document.operation == "CreateTopic"

refusals(document) := _alter_refusals(document) if document.operation == "AlterTopic"

refusals(document) := _missing(document) if document.operation == "AuditTopic"

# METADATA
# description: The document's topic as its cluster has it; undefined where the cluster has none of that name.
stored(document) := document.clusterState.topics[document.request.topic]

stored(document) := data.clusters[document.cluster].topics[document.request.topic] if not document.clusterState

_state(name, topic) := {
	"numPartitions": topic.numPartitions,
	"replicationFactor": _replication_factor(topic.replicasAssignments, topic.reassigning),
	"replicasAssignments": topic.replicasAssignments,
	"configs": topic.configs,
	"values": configs.values(topic.configs),
	"labels": topic.labels,
	"internal": is_internal(name),
	"markedForDeletion": topic.markedForDeletion,
	"reassigning": topic.reassigning,
}

# METADATA
# description: Whether Kafka itself owns a topic of this name.
is_internal(name) := name in data.catalog.topic.internal

# During a reassignment a topic counts as what it will be once that is done: the replicas without those being removed.
# The KIP leaves this open; rules about what a topic is asked to become must not see a passing state.
_replication_factor(assignments, reassigning) := count(assignments["0"]) if {
	not reassigning["0"]
} else := count([broker | some broker in assignments["0"]; not broker in reassigning["0"].removing])
