package kafka

import data.kafka.operations
import data.kafka.settings

# METADATA
# title: State that is read
# description: |
#   The parts of a cluster's state that decisions read under the settings in force, so that a replicator can leave the
#   rest out. `operations` has those that decisions about each operation read, `shared` what of them the inputs of a scan
#   share. `all` is true where rules of a site's own
#   are loaded, which may read anything.
# entrypoint: true
required_state := {
	"parts": sort(_parts),
	"operations": {operation: sort(row.reads & _parts) | some operation, row in operations},
	"shared": {operation: row.shares | some operation, row in operations},
	"all": _site_reads,
}

_parts := _engine | _enabled_parts

_engine := {part | some part in data.catalog.state.engine}

_enabled_parts contains part if {
	some id in settings.enabled
	some part in data.catalog.state.rules[id]
}

default _site_reads := false

_site_reads if data.site.rules
