# METADATA
# title: Quotas
# description: Client quotas before and after an alteration.
# scope: subpackages
package kafka.model.quotas

import data.kafka.cluster

# METADATA
# description: What rules see as `input` for a document about the quotas of an entity.
prepared(document, shared) := object.union(document, {
	"now": shared.now,
	"params": shared.params,
	"entity": document.request.entity,
	"labels": {},
	"hasBefore": true,
	"current": {"quotas": current},
	"requested": {"quotas": object.union(object.remove(current, removed), set_values)},
}) if {
	current := _current_quotas(document)
	removed := {op.key | some op in document.request.ops; op.remove == true}
	set_values := {key: [op.value | some op in document.request.ops; op.key == key][0] |
		some key in {op.key | some op in document.request.ops; not op.remove}
	}
}

_current_quotas(document) := quotas if {
	quotas := cluster.part(document, "quotas")[_entity_key(document.request.entity)]
} else := {}

# Kafka's order of the parts of an entity; null is the default entity. What tells parts apart, or the default from a
# name, stands in a name as in a URL.
_entity_key(entity) := concat(",", [part |
	some field in ["user", "clientId", "ip"]
	name := entity[field]
	part := $"{_type_by_field[field]}={_escaped_name(name)}"
])

_type_by_field := {"user": "user", "clientId": "client-id", "ip": "ip"}

_escaped_name(null) := "<default>"

_escaped_name(name) := strings.replace_n({"%": "%25", ",": "%2C", "<": "%3C"}, name) if name != null
