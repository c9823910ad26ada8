package kafka.model.topics

import data.kafka.operations

# METADATA
# description: |
#   The fields of the document's topic that its source does not know, by what a decision does without: `needed` ones are
#   missed as a part of the state is; of those that are only `counted` the replicas that are there stand for what they
#   would say. Undefined where all is known, and where there is no such topic.
# scope: document
lacking(document) := {
	"needed": [_topic_field_phrase(field, document) | some field in fields; _field_need(field, document) == "needed"],
	"counted": [_topic_field_phrase(field, document) | some field in fields; _field_need(field, document) == "counted"],
} if {
	read := operations[document.operation].fields
	topic := stored(document)
	fields := [field | some field, _ in read; not topic[field]]
	fields != []
	is_object(topic)
}

_topic_field_phrase(field, document) := $"{field} of topic '{document.request.topic}'"

# What runs already decides what becomes of replicas and partitions that a request is about.
_field_need("reassigning", document) := "needed" if {
	some field in ["newAssignments", "numPartitions", "reassignments"]
	document.request[field]
} else := operations[document.operation].fields.reassigning

_field_need("configs", document) := operations[document.operation].fields.configs

# METADATA
# description: Whether the document's topic is there, and its configs, which a decision needs, are not known.
# scope: document
has_unknown_configs(document) if {
	operations[document.operation].fields.configs
	topic := stored(document)
	not topic.configs
}
