package kafka.model.topics

import data.kafka.configs

# METADATA
# description: What is to be deleted is there to be looked at as `current`; nothing of it is `requested`.
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
