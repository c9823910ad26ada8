package kafka.topics

import data.kafka.configs
import data.kafka.errors

# METADATA
# description: What is asked to go is there to be looked at as `current`; nothing of it is `requested`.
_deleted(document, shared) := object.union(document, {
	"now": shared.now,
	"params": shared.params,
	"topic": document.request.topic,
	"labels": topic.labels,
	"current": state,
	"requested": null,
	"topicsInRequest": max([1, object.get(document.request, "topicsInRequest", 1)]),
	"effective": {"values": object.union(configs.topic_defaults(document), state.values)},
}) if {
	topic := stored(document)
	state := _state(topic)
}

_records_deleted(document, shared) := object.union(_deleted(document, shared), {
	"requested": _state(stored(document)),
	"deletedMessageOffsets": document.request.deletedMessageOffsets,
})

_delete_records_refusals(document) := {errors.new("INVALID_TOPIC_EXCEPTION", message)} if {
	stored(document).internal
	message := "The topic is internal: its records are Kafka's own."
} else := {errors.new("UNKNOWN_TOPIC_OR_PARTITION", message) |
	some partition, _ in document.request.deletedMessageOffsets
	not topic.replicasAssignments[partition]
	message := $"Topic '{document.request.topic}' has no partition {partition}."
} if {
	topic := stored(document)
} else := missing(document)
