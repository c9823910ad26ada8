# METADATA
# title: Config keys
# description: Configs of any kind of resource that are unknown, learnt or deprecated.
package kafka.rules.config_keys

import data.kafka.configs
import data.kafka.model.learnt
import data.kafka.model.topics

# METADATA
# description: |
#   Overrides that the catalogue of topics lacks: unknown, a vendor's, or of another Kafka. Looked for once for all
#   rules.
_uncatalogued_configs := object.remove(input.requested.configs, data.catalog.topic.types)

# What a change sets of them, without the deprecated ones: those are KFK-CFG-001's.
_new_uncatalogued_names contains name if {
	_uncatalogued_configs != {}
	some name, _ in _new_unlisted_configs
	not data.catalog.deprecated.topic[name]
}

_new_unlisted_configs := learnt.unlisted(
	input, "topic",
	object.get(input, ["change", "before"], {}),
	_uncatalogued_configs,
)

# What is spelt as a config of the catalogue but for signs and capitals.
_near_names(name) := {known |
	some known, row in data.catalog.topic.configs
	some spelt in ({known} | {synonym.name | some synonym in row.synonyms})
	_lowercase_alphanumeric(spelt) == _lowercase_alphanumeric(name)
}

_lowercase_alphanumeric(name) := regex.replace(lower(name), `[^a-z0-9]`, "")

# Which names are meant by one that KFK-CFG-002 is about: those near to it, or none where the cluster surely does not
# have it.
_meant_names(name, vendors) := near if {
	near := _near_names(name)
	near != set()
} else := set() if topics.is_unknown(input, name, vendors)

# What KFK-CFG-003 is about, by the kind of resource: of topics what no other rule has something against. Brokers take
# any name, and keep it for their plugins; of the others Kafka refuses what it is known not to have.
_unlisted_keys("topic") := {name |
	some name in _new_uncatalogued_names
	vendors := object.get(input.params, ["KFK-CFG-002", "vendors"], [])
	not topics.is_vendor_config(name, vendors)
	not _meant_names(name, vendors)
}

_unlisted_keys("broker") := object.keys(learnt.unlisted(input, "broker", input.change.before, input.change.after))

_unlisted_keys(kind) := object.keys(learnt.unlisted(input, kind, input.change.before, input.change.after)) if {
	kind in {"clientMetrics", "group"}
	not learnt.is_complete(input, kind)
}

# The kind of resource, as the catalogue names it.
_config_kind := "topic" if input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}

_config_kind := "broker" if input.operation == "AlterBroker"

_config_kind := configs.kinds[input.resource.type] if input.operation == "AlterConfig"
