package kafka.topics

import data.kafka.cluster
import data.kafka.errors
import data.kafka.settings

# METADATA
# description: |
#   What Kafka refuses of overrides that its catalogue lacks (LogConfig.validateNames, 4.3). A vendor's brokers know
#   more: of a managed cluster, and of a name that a vendor in the settings has, KFK-MSG-006 says what it is.
_unknown_names(document, overrides) := {errors.new("INVALID_CONFIG", $"Unknown topic config name: {name}") |
	some name, text in overrides
	text != null # which Kafka refuses before
	not data.catalog.topic.types[name]
	not cluster.part(document, "managed")
	point := object.get(document, "enforcementPoint", "")
	params := settings.params(document.cluster, point)
	not vendors_own(name, object.get(params, ["KFK-MSG-006", "vendors"], [])) # none where the rule is disabled
}

# METADATA
# description: Whether a config of a topic is one that some of `vendors` have and Apache Kafka lacks.
# scope: document
vendors_own(name, vendors) if {
	some vendor in vendors
	name in data.catalog.vendors[vendor].names
}

vendors_own(name, vendors) if {
	some vendor in vendors
	strings.any_prefix_match(name, data.catalog.vendors[vendor].prefixes)
}
