package kafka.configs

# METADATA
# description: |
#   What a topic has of a config that it does not set, from a broker of which these texts are set: of the broker's
#   configs that the topic's falls back to, the first that is set, or has a default of Kafka's. Time is in milliseconds,
#   and below nought no limit. Undefined where there is none.
inherited(name, texts) := inherited_value(name, {synonym.name: value |
	some synonym in data.catalog.topic.configs[name].synonyms
	value := _broker_value(synonym.name, texts)
})

# METADATA
# description: As `inherited`, of values that are typed, without Kafka's defaults.
inherited_value(name, values) := [_value_in_topic_unit(synonym, values[synonym.name]) |
	some synonym in data.catalog.topic.configs[name].synonyms
][0]

_broker_value(key, texts) := typed("broker", key, texts[key]) if {
	texts[key]
} else := data.catalog.broker.defaults.values[key]

_value_in_topic_unit(synonym, value) := max([-1, value * _milliseconds_by_unit[synonym.unit]]) if {
	_milliseconds_by_unit[synonym.unit]
} else := value

_milliseconds_by_unit := {"hours": 3600000, "minutes": 60000}
