# METADATA
# title: Rules
# description: The families, by name. A rule is a file in its family's package; nothing registers it.
package kafka.rules

import data.kafka.rules.durability
import data.kafka.rules.naming
import data.kafka.rules.retention
import data.kafka.rules.sizing

# METADATA
# description: What every family, and a site's own, has against the prepared document in `input`.
violations := union({
	durability.deny,
	naming.deny,
	retention.deny,
	sizing.deny,
	_site,
})

_site contains violation if some violation in data.site.rules[_].deny
