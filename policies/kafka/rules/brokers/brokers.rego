# METADATA
# title: Brokers
# description: How brokers are set up - when they start, when their dynamic configs are altered, and as they stand.
package kafka.rules.brokers

import data.kafka.lists

# METADATA
# description: The class that a broker's config names, as Kafka reads it, trimmed, and its own where nothing is set.
_configured_class(name, overrides) := lists.trimmed(object.get(overrides, name, _default_class(name)))

_default_class(name) := object.get(data.catalog.broker.defaults.configs, name, "")

# Whether a name matches one of the patterns, in which * is any characters.
_is_listed(name, patterns) if {
	some pattern in patterns
	glob.match(pattern, null, name)
}
