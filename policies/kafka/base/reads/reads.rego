# METADATA
# title: State that decisions read
# description: |
#   Which parts of a cluster's state decisions about an operation read. It is apart from its entry point, as the engine
#   reads it too: OPA's targets `plan` and `wasm` take no entry point that a function refers to.
# scope: subpackages
package kafka.base.reads

import data.kafka.base.settings
import data.kafka.operations

# METADATA
# description: As `kafka/required_state` gives it.
state := {
	"parts": sort(_state_parts),
	"operations": {operation: sort(row.reads & _state_parts) | some operation, row in operations},
	"shared": {operation: object.union(row.shares, _freshness_fields(operation)) | some operation, row in operations},
	"own": {operation: object.get(row, "own", []) | some operation, row in operations; row.shares},
	"lookups": {operation: _rule_lookups(operation) | some operation, row in operations; row.shares},
	"aged": sort(_freshness_checked_operations),
	"all": _has_site_rules,
}

_state_parts := _parts_read_by_engine | _parts_read_by_enabled_rules

_parts_read_by_engine := {part | some part in data.catalog.state.engine}

_parts_read_by_enabled_rules contains part if {
	some id in settings.enabled
	some part in data.catalog.state.rules[id]
}

_rule_lookups(operation) := {
	"clusters": sort({part | some lookup in read; some part in object.get(lookup, "clusters", [])}),
	"topic": true in {lookup.topic | some lookup in read},
} if {
	read := [lookup |
		some id in settings.enabled
		operation in data.catalog.rules[id].operations
		lookup := data.catalog.state.lookups[id]
	]
}

_freshness_checked_operations contains operation if {
	some operation, row in operations
	row.shares
	some limits in settings.freshness_layers
	object.get(limits, ["operations", operation, "then"], "ignore") != "ignore"
}

_freshness_fields(operation) := {"meta": {"observedAt": true}} if operation in _freshness_checked_operations

_freshness_fields(operation) := {} if not operation in _freshness_checked_operations

default _has_site_rules := false

_has_site_rules if data.site.rules
