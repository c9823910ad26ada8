package kafka

import data.kafka.operations
import data.kafka.settings

# METADATA
# title: State that is read
# description: |
#   The parts of a cluster's state that decisions read under the settings in force, so that a replicator can leave the
#   rest out. `operations` has those that decisions about each operation read. Of the operations that a scan asks about,
#   `shared` has what of them its inputs share, `own` what comes with each resource, `lookups` the parts of other
#   clusters' states that are read (`clusters`, and `topic` where topics of the same name are looked up there), and
#   `aged` those that are decided by the age of the state. `all` is true where rules of a site's own are loaded, which
#   may read anything.
# entrypoint: true
required_state := {
	"parts": sort(_parts),
	"operations": {operation: sort(row.reads & _parts) | some operation, row in operations},
	"shared": {operation: object.union(row.shares, _observed_at(operation)) | some operation, row in operations},
	"own": {operation: object.get(row, "own", []) | some operation, row in operations; row.shares},
	"lookups": {operation: _lookups(operation) | some operation, row in operations; row.shares},
	"aged": sort(_aged),
	"all": _site_reads,
}

_parts := _engine | _enabled_parts

_engine := {part | some part in data.catalog.state.engine}

_enabled_parts contains part if {
	some id in settings.enabled
	some part in data.catalog.state.rules[id]
}

_lookups(operation) := {
	"clusters": sort({part | some lookup in read; some part in object.get(lookup, "clusters", [])}),
	"topic": true in {lookup.topic | some lookup in read},
} if {
	read := [lookup |
		some id in settings.enabled
		operation in data.catalog.rules[id].operations
		lookup := data.catalog.state.lookups[id]
	]
}

_aged contains operation if {
	some operation, row in operations
	row.shares
	some limits in settings.freshness_layers
	object.get(limits, ["operations", operation, "then"], "ignore") != "ignore"
}

_observed_at(operation) := {"meta": {"observedAt": true}} if operation in _aged

_observed_at(operation) := {} if not operation in _aged

default _site_reads := false

_site_reads if data.site.rules
