# METADATA
# title: Governance
# description: |
#   What a topic's labels say of it, and where it comes from. A topic that is requested brings its labels. In an audit
#   they are checked unless the cluster's state says (`meta.labels` false) that its source knows none.
package kafka.rules.governance

import data.kafka.cluster

# Whether labels are there to be checked; Kafka's own topics have none.
_are_labels_expected if {
	not input.requested.internal
	not _are_labels_unknown
}

_are_labels_unknown if {
	input.operation == "AuditTopic"
	cluster.part(input, "meta").labels == false
}
