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

# The state of a stored topic, once for `current` and once, changed, for `requested`.
_state(name, topic) := {
	"numPartitions": topic.numPartitions,
	"replicationFactor": _replication_factor(topic.replicasAssignments, topic.reassigning),
	"replicasAssignments": topic.replicasAssignments,
	"generatedReplicaAssignments": true,
	"configs": topic.configs,
	"requestedConfigs": {},
	"values": configs.values(topic.configs),
	"labels": topic.labels,
	"internal": name in data.catalog.topic.internal,
	"markedForDeletion": topic.markedForDeletion,
	"reassigning": topic.reassigning,
}

# During a reassignment a topic counts as what it will be once that is done: the replicas without those being removed.
# The KIP leaves this open; rules about what a topic is asked to become must not see a passing state.
_replication_factor(assignments, {}) := count(assignments["0"])

_replication_factor(assignments, reassigning) := count([broker |
	some broker in assignments["0"]
	not broker in object.get(reassigning, ["0", "removing"], [])
]) if {
	reassigning != {}
}
