package kafka.model.topics

import data.kafka.base.errors
import data.kafka.base.settings
import data.kafka.cluster
import data.kafka.model.learnt

# METADATA
# description: |
#   What Kafka refuses of overrides that the catalogue lacks. Nearly never there are any: then nothing else is looked
#   at.
_unknown_config_errors(document, before, after) := set() if {
	{name | some name, _ in after; not data.catalog.topic.types[name]} == set()
} else := _unknown_name_errors(document, before, after) | _learnt_config_type_errors(document, before, after)

# METADATA
# description: |
#   What Kafka refuses of overrides that a change sets and its catalogue lacks (LogConfig.validateNames, 4.3). What
#   stands there already refuses nothing (KAFKA-19851).
_unknown_name_errors(document, before, after) := {errors.new("INVALID_CONFIG", $"Unknown topic config name: {name}") |
	some name, _ in learnt.unlisted(document, "topic", before, after)
	point := object.get(document, "enforcementPoint", "")
	params := settings.params(document.cluster, point)
	is_unknown(document, name, object.get(params, ["KFK-CFG-002", "vendors"], [])) # none where the rule is disabled
}

_learnt_config_type_errors(document, before, after) := {errors.new("INVALID_CONFIG", message) |
	some message in learnt.faults(document, "topic", before, after)
}

# METADATA
# description: |
#   Whether the cluster surely has no such config of topics, which neither the catalogue nor its state has: it describes
#   all of them (but for internal ones, which no broker tells), its Kafka is none that is newer than the catalogue, or
#   has removed it. Where it does not describe them, a vendor's brokers may know more: those of a managed cluster, and
#   those of `vendors`.
# scope: document
is_unknown(document, name, _) if {
	learnt.is_described(document, "topic")
	not startswith(name, "internal.")
}

is_unknown(document, name, vendors) if {
	learnt.is_complete(document, "topic")
	_is_apache_only(document, name, vendors)
	not data.catalog.deprecated.topic[name]
}

is_unknown(document, name, vendors) if {
	learnt.is_key_dropped(document, data.catalog.deprecated.topic[name])
	_is_apache_only(document, name, vendors)
}

_is_apache_only(document, name, vendors) if {
	not learnt.is_described(document, "topic")
	not cluster.part(document, "managed")
	not is_vendor_config(name, vendors)
}

# METADATA
# description: Whether a config of a topic is one that some of `vendors` have and Apache Kafka lacks.
# scope: document
is_vendor_config(name, vendors) if {
	some vendor in vendors
	name in data.catalog.vendors[vendor].names
}

is_vendor_config(name, vendors) if {
	some vendor in vendors
	strings.any_prefix_match(name, data.catalog.vendors[vendor].prefixes)
}
