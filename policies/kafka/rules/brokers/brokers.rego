# METADATA
# title: Brokers
# description: How brokers are set up - when they start, when their dynamic configs are altered, and as they stand.
package kafka.rules.brokers

import data.kafka.changes
import data.kafka.configs
import data.kafka.lists

# METADATA
# description: The class that a broker's config names, as Kafka reads it, trimmed, and its own where nothing is set.
_configured_class(name, overrides) := lists.trimmed(object.get(overrides, name, _default_class(name)))

_default_class(name) := object.get(data.catalog.broker.defaults.configs, name, "")

# Whether two texts of a broker's config are one value to the topics that inherit it, such as a list in another order.
_is_same_to_topics(name, text, other) if {
	inherited := data.catalog.topic.inherits[name]
	changes.altered_names("topic", {"before": {inherited: text}, "after": {inherited: other}}) == set()
}

# The value of a broker's config, of one that may be set in greater units too (log.roll.hours) in its own.
_value_in_own_unit(name, values) := value if {
	value := values[name]
} else := configs.inherited_value(inherited, values) if {
	inherited := data.catalog.topic.inherits[name]
	data.catalog.topic.configs[inherited].synonyms[0].name == name
}
