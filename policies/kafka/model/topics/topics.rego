# METADATA
# title: Topics
# description: |
#   The states of a topic that rules compare, as KIP-201 has them: `current` (null where there is none yet) and
#   `requested`, what the topic will be if the request succeeds; and what Kafka itself would refuse.
# scope: subpackages
package kafka.model.topics

import data.kafka.configs

# METADATA
# description: |
#   What rules see as `input` for a document about a topic, by its operation; undefined where the topic's stored state
#   cannot be read. `shared` is what documents of the same cluster, enforcement point and time have in common.
# scope: document
prepared("DeleteTopic", document, shared) := _topic_deletion_input(document, shared)

prepared("DeleteRecords", document, shared) := _records_deletion_input(document, shared)

# METADATA
# description: |
#   Kafka's own refusals of a request about a topic, by operation. An audit asks for nothing that could be refused, and
#   has no row; where the topic is missing there is nothing to prepare, and `missing` says so.
# scope: document
refusals("CreateTopic", document) := _create_refusals(document)

refusals("AlterTopic", document) := _alter_refusals(document)

refusals("DeleteTopic", document) := _delete_refusals(document)

refusals("DeleteRecords", document) := _delete_records_refusals(document)

# METADATA
# description: |
#   The document's topic as its cluster has it; undefined where the cluster has none of that name. `changed` has what
#   the state does not show yet (kafka.engine.sequence).
stored(document) := document.changed.topic if {
	document.changed.topic != null
} else := topic if {
	not document.changed
	topic := document.clusterState.topics[document.request.topic]
} else := topic if {
	not document.changed
	not document.clusterState
	topic := data.clusters[document.cluster].topics[document.request.topic]
}

# A stored topic as rules see it; undefined where a field is missing or of another type than the contract's. Nearly none
# is being reassigned: those need no function that counts their replicas. `configs` and `reassigning` may be unknown
# (`lacking`): overrides are none then, and the replicas that are there count.
_topic_state(topic) := object.union(topic, {
	"replicationFactor": count(topic.replicasAssignments["0"]),
	"values": configs.values("topic", topic.configs),
}) if {
	topic.reassigning == {}
	is_array(topic.replicasAssignments["0"])
	is_number(topic.numPartitions)
	is_boolean(topic.internal)
	is_object(topic.replicasAssignments)
	is_object(topic.configs)
	is_object(topic.labels)
} else := object.union(topic, {
	"replicationFactor": _replica_count(topic.replicasAssignments, reassigning, replication_factor),
	"configs": overrides,
	"values": configs.values("topic", overrides),
}) if {
	reassigning := object.get(topic, "reassigning", {})
	overrides := object.get(topic, "configs", {})
	is_object(reassigning)
	is_number(topic.numPartitions)
	is_boolean(topic.internal)
	is_object(topic.replicasAssignments)
	is_object(overrides)
	is_object(topic.labels)
}

# METADATA
# description: |
#   What counts as a topic's replication factor: the replicas of its first partition, without those that a reassignment
#   removes. During one a topic counts as what it will be once that is done: the KIP leaves this open, and rules about
#   what a topic is to become must not see a passing state.
replication_factor := {"partition": "0", "without": "removing"}

_replica_count(assignments, reassigning, counted) := count(assignments[counted.partition]) if {
	is_array(assignments[counted.partition])
	not reassigning[counted.partition][counted.without]
} else := count([broker |
	some broker in assignments[counted.partition]
	not broker in reassigning[counted.partition][counted.without]
])
