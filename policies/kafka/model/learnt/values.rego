package kafka.model.learnt

import data.kafka.cluster
import data.kafka.configs

# METADATA
# description: |
#   What Kafka refuses of the values that a change gives keys that only the cluster describes, in its own words: what is
#   not of the key's type. What bounds them, only brokers know.
faults(document, kind, before, after) := {message |
	some name, found in new(document, kind, before, after)
	message := configs.fault_of(found, name, after[name])
}

# METADATA
# description: |
#   `values`, which are those of `overrides` as the catalogue types them, with those of keys that only the cluster
#   describes typed by it. A text that cannot be read so stays as it is.
typed(document, kind, overrides, values) := object.union(values, {name: value |
	some name, text in overrides
	value := configs.value_of_type(row(document, kind, name).type, text)
}) if {
	cluster.part(document, "catalog").configs[kind] != {}
} else := values
