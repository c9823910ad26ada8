# METADATA
# title: Keys that the catalogue lacks
# description: |
#   Configs that a cluster may have though the catalogue of its kind of resource lacks them: a newer Kafka's, or a
#   vendor's. What the cluster describes itself is in its state (`catalog.configs`). Nothing is concluded from a key
#   that neither has, where it only stands there already.
# scope: subpackages
package kafka.model.learnt

import data.kafka.cluster
import data.kafka.configs
import data.kafka.lists

# METADATA
# description: |
#   What the cluster says of a key that the catalogue of a `kind` lacks: its `type`, and whether it is `sensitive` or
#   `readOnly`; a listener's is that without its prefix.
row(document, kind, name) := found if {
	keys := cluster.part(document, "catalog").configs[kind]
	not data.catalog[kind].types[name]
	found := keys[_name_without_listener_prefix(kind, name)]
}

# METADATA
# description: |
#   The overrides that a change of a resource of `kind` sets anew, or to another text, under names that neither the
#   catalogue nor the cluster has.
unlisted(document, kind, before, after) := {name: text |
	some name, text in after
	text != null
	not data.catalog[kind].types[name]
	not data.catalog[kind].types[_name_without_listener_prefix(kind, name)]
	not row(document, kind, name)
	object.get(before, name, null) != text
}

# METADATA
# description: As `unlisted`, under names that the cluster alone has; each with its row.
new(document, kind, before, after) := {name: found |
	some name, text in after
	text != null
	not data.catalog[kind].types[name]
	found := row(document, kind, name)
	object.get(before, name, null) != text
}

_name_without_listener_prefix("broker", name) := plain if {
	plain := configs.after_mechanism(configs.base_name(name))
	data.catalog.broker.types[plain]
} else := base if {
	base := configs.base_name(name)
} else := name

_name_without_listener_prefix(kind, name) := name if kind != "broker"

# METADATA
# description: |
#   Whether it is known that the cluster has no other keys of a kind of resource than the catalogue and the state: it
#   describes them all, beside the same catalogue, or has no newer release than the catalogue and no provider.
# scope: document
is_complete(document, kind) if is_described(document, kind)

is_complete(document, _) if {
	not cluster.part(document, "managed")
	release := lists.version(cluster.part(document, "catalog").release)
	array.slice(release, 0, 2) <= array.slice(lists.version(data.catalog.topic.kafka), 0, 2)
}

# METADATA
# description: Whether the state has all the keys of a kind that this catalogue lacks.
is_described(document, kind) if {
	catalog := cluster.part(document, "catalog")
	catalog.configs[kind]
	catalog.beside == object.get(data.catalog[kind], "beside", data.catalog[kind].kafka)
}

# METADATA
# description: |
#   The names that a change appends to or takes from and that the catalogue of `kind` lacks, where they may be lists.
possible_lists(document, kind, change) := {op.name |
	some op in change.ops
	op.op in {"APPEND", "SUBTRACT"}
	not data.catalog[kind].types[op.name]
	_can_be_list(document, kind, op.name)
}

_can_be_list(document, kind, name) if row(document, kind, name).type == "list"

_can_be_list(document, kind, name) if {
	not row(document, kind, name)
	not is_complete(document, kind)
}

# METADATA
# description: Whether the cluster's Kafka has removed a key, whose row among the deprecated ones is given.
is_key_dropped(document, deprecated) if lists.version(_kafka_release(document)) >= lists.version(deprecated.removed)

# Where nobody knows it, the catalogue's decides.
_kafka_release(document) := release if {
	release := cluster.part(document, "catalog").release
} else := data.catalog.topic.kafka
