package kafka.model.topics

import data.kafka.configs

# METADATA
# description: What is to be deleted is there to be looked at as `current`; nothing of it is `requested`.
_topic_deletion_input(document, shared) := object.union(document, {
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
	state := _topic_state(topic)
}

_records_deletion_input(document, shared) := object.union(_topic_deletion_input(document, shared), {
	"requested": _topic_state(stored(document)),
	"deletedMessageOffsets": document.request.deletedMessageOffsets,
})
