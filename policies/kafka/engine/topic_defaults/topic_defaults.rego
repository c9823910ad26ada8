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
# description: The operations that may give topics another default.
operations := {"AlterBroker", "StartBroker"}

# METADATA
# description: Whether a rule is evaluated of the topics that inherit another default.
is_evaluated(id, rule) if {
	"AlterTopic" in rule.operations
	true in [object.get(rule, "inherited", false), "AuditTopic" in rule.operations]
	substring(id, 0, 7) in _evaluated_families
}

# METADATA
# description: The fields of a topic's request that a field of a broker's, or all its configs, stand for.
# scope: document
inheriting_fields(["configs"]) := {["configs"]} | {[name] | some name, _ in _creation_field_synonyms}

inheriting_fields(["configs", key]) := {["configs", name] | name := data.catalog.topic.inherits[key]} | {[name] |
	some name, synonyms in _creation_field_synonyms
	key in synonyms
}

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
changed[name] := {"before": before, "after": after, "key": _deciding_synonym(name)} if {
	some name in _candidate_topic_configs
	after := _inherited_value(name, _broker_configs_before_and_after.after)
	before := _value_before(name)
	before != after
}

_candidate_topic_configs := {data.catalog.topic.inherits[name] | some name in _changed_broker_configs} if {
	input.operation == "AlterBroker"
}

# What the file sets, and what the cluster has otherwise than Kafka.
_candidate_topic_configs := union({
	{data.catalog.topic.inherits[name] | some name, _ in _broker_configs_before_and_after.after},
	{name |
		some name, value in configs.topic_defaults(input)
		value != data.catalog.topic.defaults.values[name]
	},
	object.keys(_creation_field_synonyms),
}) if {
	input.operation == "StartBroker"
	cluster.part(input, "defaults")
}

_changed_broker_configs := changes.named(input.change)

# The broker's configs that stand for what a creation may leave out.
_creation_field_synonyms := {"numPartitions": ["num.partitions"], "replicationFactor": ["default.replication.factor"]}

# The broker's configs that a topic falls back to, the first that is set.
_broker_synonyms(name) := _creation_field_synonyms[name]

_broker_synonyms(name) := [synonym.name | some synonym in data.catalog.topic.configs[name].synonyms] if {
	not _creation_field_synonyms[name]
}

_deciding_synonym(name) := array.concat(
	[key | some key in _broker_synonyms(name); key in _changed_broker_configs],
	_broker_synonyms(name),
)[0]

# Where the state does not have what is set of the brokers, what it has of topics counts.
_value_before(name) := _inherited_value(name, _broker_configs_before_and_after.before) if {
	some key in _broker_synonyms(name)
	_broker_configs_before_and_after.before[key]
} else := configs.topic_defaults(input)[name] if {
	not _creation_field_synonyms[name]
} else := configs.int32(cluster.broker_default(input, _creation_field_synonyms[name][0]))

_inherited_value(name, texts) := configs.int32(object.get(texts, key, data.catalog.broker.defaults.configs[key])) if {
	[key] := _creation_field_synonyms[name]
} else := configs.inherited(name, texts)

# What is set of the brokers that the request is about. What a default of all brokers hides in their files is not known.
_broker_configs_before_and_after := {
	"before": object.union(_cluster_wide_configs, input.current.configs),
	"after": object.union(_cluster_wide_configs, input.requested.configs),
} if {
	input.operation == "AlterBroker"
	input.broker != ""
}

_broker_configs_before_and_after := {
	"before": object.union(_first_broker_configs, input.current.configs),
	"after": object.union(object.remove(_first_broker_configs, _changed_broker_configs), input.requested.configs),
} if {
	input.operation == "AlterBroker"
	input.broker == ""
}

_broker_configs_before_and_after := {"before": {}, "after": object.union_n([
	input.requested.configs,
	_cluster_wide_configs,
	object.get(_brokers_by_id, [input.broker, "dynamicConfigs"], {}),
])} if {
	input.operation == "StartBroker"
}

_cluster_wide_configs := object.get(_brokers_by_id, ["", "configs"], {})

# Of several brokers the first stands for all.
default _first_broker_configs := {}

_first_broker_configs := object.get(_brokers_by_id, [min(object.keys(_brokers_by_id) - {""}), "configs"], {})

default _brokers_by_id := {}

_brokers_by_id := cluster.part(input, "brokers")
