# METADATA
# title: Topic defaults
# description: |
#   What a change of a broker's configs does to topics: what a topic does not set itself it has from the brokers. The
#   rules about topics say what is wrong with that (`deny`), so that what they deny of one topic is denied of all.
# scope: subpackages
package kafka.engine.topic_defaults

import data.kafka.changes
import data.kafka.cluster
import data.kafka.configs
import data.kafka.model.brokers

# METADATA
# description: Whether a document about a broker names a config that topics inherit.
is_named(document) if {
	some name in changes.named(brokers.resolved_change(document))
	data.catalog.topic.inherits[name]
}

# METADATA
# description: |
#   What the request gives another default: topic configs with their values before and after, and the broker's `key`
#   that does so; of a broker that starts, the numbers too that a creation may leave out. A start is compared with the
#   cluster, where the state has the defaults of that.
changed[name] := {"before": before, "after": after, "key": _key(name)} if {
	some name in _candidates
	after := _value(name, _texts.after)
	before := _value_before(name)
	before != after
}

_candidates := {data.catalog.topic.inherits[name] | some name in _changed_names} if input.operation == "AlterBroker"

# What the file sets, and what the cluster has otherwise than Kafka.
_candidates := union({
	{data.catalog.topic.inherits[name] | some name, _ in _texts.after},
	{name |
		some name, value in configs.topic_defaults(input)
		value != data.catalog.topic.defaults.values[name]
	},
	object.keys(_numbers),
}) if {
	input.operation == "StartBroker"
	cluster.part(input, "defaults")
}

_changed_names := changes.named(input.change)

# The broker's configs that stand for what a creation may leave out.
_numbers := {"numPartitions": ["num.partitions"], "replicationFactor": ["default.replication.factor"]}

# The broker's configs that a topic falls back to, the first that is set.
_keys(name) := _numbers[name]

_keys(name) := [synonym.name | some synonym in data.catalog.topic.configs[name].synonyms] if not _numbers[name]

_key(name) := array.concat([key | some key in _keys(name); key in _changed_names], _keys(name))[0]

# Where the state does not have what is set of the brokers, what it has of topics counts.
_value_before(name) := _value(name, _texts.before) if {
	some key in _keys(name)
	_texts.before[key]
} else := configs.topic_defaults(input)[name] if {
	not _numbers[name]
} else := configs.int32(cluster.broker_default(input, _numbers[name][0]))

_value(name, texts) := configs.int32(object.get(texts, key, data.catalog.broker.defaults.configs[key])) if {
	[key] := _numbers[name]
} else := configs.inherited(name, texts)

# What is set of the brokers that the request is about. What a default of all brokers hides in their files is not known.
_texts := {
	"before": object.union(_cluster_wide_configs, input.current.configs),
	"after": object.union(_cluster_wide_configs, input.requested.configs),
} if {
	input.operation == "AlterBroker"
	input.broker != ""
}

_texts := {
	"before": object.union(_first_broker_configs, input.current.configs),
	"after": object.union(object.remove(_first_broker_configs, _changed_names), input.requested.configs),
} if {
	input.operation == "AlterBroker"
	input.broker == ""
}

_texts := {"before": {}, "after": object.union_n([
	input.requested.configs,
	_cluster_wide_configs,
	object.get(_brokers, [input.broker, "dynamicConfigs"], {}),
])} if {
	input.operation == "StartBroker"
}

_cluster_wide_configs := object.get(_brokers, ["", "configs"], {})

# Of several brokers the first stands for all.
default _first_broker_configs := {}

_first_broker_configs := object.get(_brokers, [min(object.keys(_brokers) - {""}), "configs"], {})

default _brokers := {}

_brokers := cluster.part(input, "brokers")
