package kafka

import data.kafka.settings

# METADATA
# title: State that is read
# description: |
#   The parts of a cluster's state that decisions read under the settings in force, so that a replicator can leave the
#   rest out. `all` is true where rules of a site's own are loaded, which may read anything.
# entrypoint: true
state := {"parts": sort(_engine | _enabled_parts), "all": _site_reads}

_engine := {part | some part in data.catalog.state.engine}

_enabled_parts contains part if {
	some id in settings.enabled
	some part in data.catalog.state.rules[id]
}

default _site_reads := false

_site_reads if data.site.rules
