# METADATA
# title: Cluster state
# description: |
#   Look-ups in the state of a document's cluster: the clusterState it carries, else what is replicated under
#   data.clusters. Always by key, never a scan, so that a decision costs the same however large the cluster is.
package kafka.cluster

import data.kafka.base.pointers

# METADATA
# description: One part of the state (`defaults`, `totals`, `meta`, …); undefined when the state lacks it.
part(document, name) := state if {
	state := document.clusterState[name]
} else := data.clusters[document.cluster][name] if {
	not document.clusterState
}

# METADATA
# description: The default of a broker-level setting, as the cluster has it or else as Kafka ships it.
broker_default(document, name) := value if {
	value := part(document, "defaults")[name]
} else := data.catalog.broker.defaults.configs[name]

# METADATA
# description: A topic by name, undefined when the cluster has none of that name.
topic(document, name) := state if {
	state := document.clusterState.topics[name]
} else := data.clusters[document.cluster].topics[name] if {
	not document.clusterState
}

# METADATA
# description: Whether the topics of the cluster of this name are replicated.
has_topics(name) if data.clusters[name].topics

# METADATA
# description: |
#   The names of the cluster's topics, as KIP-201's ClusterState.topics: internal ones and those marked for deletion
#   only where a flag says so. A rule that goes through them costs as much as the cluster is large.
topics(document, include_internal, include_marked_for_deletion) := {name |
	some name, state in part(document, "topics")
	_is_topic_included(state, "internal", include_internal)
	_is_topic_included(state, "markedForDeletion", include_marked_for_deletion)
}

_is_topic_included(_, _, true)

_is_topic_included(state, field, false) if not state[field]

# METADATA
# description: |
#   What is to be added to a number of the state, which `path` leads to: what is under way elsewhere (`pending`), and
#   what is charged for the items before in a request.
# scope: document
default pending(_, _) := 0

pending(document, path) := object.get(document.pending, pointers.format(path), 0) if {
	document.pending # nearly always there is none, and no pointer is made
}

# METADATA
# description: Whether `pending` may be another number than nought.
has_pending(document) if document.pending

# METADATA
# description: |
#   The broker that asks, as KIP-201's ClusterState.brokerState: its configs, host and rack. Undefined where the
#   decision input does not say which one does (`brokerId`), or the state does not have it.
broker_state(document) := part(document, "brokers")[document.brokerId]
