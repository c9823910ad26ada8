package kafka.model.topics

import data.kafka.cluster

# METADATA
# description: |
#   What a label says, of the `labels` of a topic or of a request: trimmed, and `otherwise` where it is missing, null or
#   blank.
# scope: document
label(labels, key, otherwise) := text if {
	text := trim_space(labels[key])
	text != ""
} else := otherwise

# METADATA
# description: |
#   The labels that the name of a topic that is requested tells by the cluster's patterns (`labelPatterns`): each named
#   group of one that fits the whole name; of several patterns the last that has the label. So who cannot say labels,
#   as a client of Kafka, has the owner that the topic will have once it is there.
_labels_from_topic_name(document) := {} if {
	not cluster.part(document, "labelPatterns")
} else := object.union_n([labels |
	some pattern in cluster.part(document, "labelPatterns")
	labels := _pattern_labels(pattern, document.request.topic)
])

_pattern_labels(pattern, topic) := {name: value |
	whole := concat("", ["^(?:", pattern, ")$"])
	regex.match(whole, topic)
	some [_, name] in regex.find_all_string_submatch_n(`\(\?P<(\w+)>`, pattern, -1)
	value := regex.replace(topic, whole, concat("", ["${", name, "}"]))
	value != ""
}
