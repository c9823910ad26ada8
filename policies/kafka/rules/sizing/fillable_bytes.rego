package kafka.rules.sizing

import data.kafka.configs

# METADATA
# description: |
#   Bytes that all replicas of the topic can grow to more than those of the topic that counts already; undefined where
#   that is not known.
_added_fillable_bytes(counted, params) := _fillable_bytes(
	after,
	input.effective.values,
	params,
) - _fillable_bytes_before(counted, params) if {
	after := _topic_replica_count(input.current) + _added_replica_count
}

_fillable_bytes(replicas, values, params) := replicas * _bytes_of_a_replica(values, params)

_fillable_bytes_before(null, _) := 0

_fillable_bytes_before(topic, params) := _fillable_bytes(
	_topic_replica_count(topic),
	configs.effective("topic", input, topic.configs),
	params,
)

# What is only compacted keeps every key, however large that gets.
_bytes_of_a_replica(values, params) := values["retention.bytes"] if {
	"delete" in values["cleanup.policy"]
	values["retention.bytes"] >= 0
} else := params.unboundedAs
