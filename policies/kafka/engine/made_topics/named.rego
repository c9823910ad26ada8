package kafka.engine.made_topics

import data.kafka.cluster
import data.kafka.configs
import data.kafka.model.brokers

_dlq_topic_config := "errors.deadletterqueue.topic.name"

_dlq_auto_create_config := "errors.deadletterqueue.auto.create.topics.enable"

_dlq_topic_prefix_config := "errors.deadletterqueue.topic.name.prefix"

_deciding_configs := {_dlq_topic_config, _dlq_auto_create_config, _dlq_topic_prefix_config}

# METADATA
# description: Whether a field of a request is a config by which brokers make topics, or all its configs.
# scope: document
is_deciding_config(["configs"])

is_deciding_config(["configs", name]) if name in _deciding_configs

# METADATA
# description: Whether a document about a group or a broker names a config by which brokers make topics.
# scope: document
is_named(document) if {
	some op in document.request.configs.ops
	op.name in _deciding_configs
}

is_named(document) if {
	some part in ["entries", "after"]
	some name, _ in document.request.configs[part]
	name in _deciding_configs
}

# METADATA
# description: |
#   The `topics` that are not there and that brokers make after the request in `input`, if not before it, and the `key`
#   that lets them.
# scope: document
named := {"key": _dlq_topic_config, "topics": {name}} if {
	input.operation == "AlterConfig"
	input.resource.type == "group"
	name := input.requested.values[_dlq_topic_config]
	name != ""
	name != object.get(input.current.values, _dlq_topic_config, "")
	not cluster.topic(input, name)
	_can_be_made(name)
}

named := {"key": key, "topics": topics} if {
	input.operation in {"AlterBroker", "StartBroker"}
	after := _dlq_creation_settings(brokers.known_values(input))
	after.makes == true
	before := _dlq_creation_settings_before(input.operation)
	topics := {name |
		some overrides in cluster.part(input, "resourceConfigs").group
		name := overrides[_dlq_topic_config]
		_is_made(after, name)
		not _is_made(before, name)
		not cluster.topic(input, name)
	}
	key := [key | some key in [_dlq_auto_create_config, _dlq_topic_prefix_config]; input.change.explicit[key]][0]
}

_dlq_creation_settings(values) := {
	"makes": object.get(values, _dlq_auto_create_config, false),
	"prefix": object.get(values, _dlq_topic_prefix_config, data.catalog.broker.defaults.values[_dlq_topic_prefix_config]),
}

_dlq_creation_settings_before("AlterBroker") := _dlq_creation_settings(input.current.values)

# What other brokers make already is nothing that a start adds.
_dlq_creation_settings_before("StartBroker") := _dlq_creation_settings(configs.effective("broker", input, {}))

_is_made(settings, name) if {
	settings.makes == true
	name != ""
	startswith(name, settings.prefix)
}

# By any broker that makes topics, and where nobody knows whether one does.
_can_be_made(name) if {
	some id, broker in cluster.part(input, "brokers")
	id != ""
	_is_made(_dlq_creation_settings(configs.effective("broker", input, broker.configs)), name)
}

_can_be_made(_) if not _are_broker_configs_known

_are_broker_configs_known if {
	ids := object.keys(cluster.part(input, "brokers")) - {""}
	ids != set()
	every id in ids { cluster.part(input, "brokers")[id].configs }
}
