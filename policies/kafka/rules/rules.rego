# METADATA
# title: Rules
# description: The families, by name. A rule is a file in its family's package; nothing registers it.
package kafka.rules

import data.kafka.rules.access
import data.kafka.rules.brokers
import data.kafka.rules.changes
import data.kafka.rules.cleanup
import data.kafka.rules.clients
import data.kafka.rules.deletion
import data.kafka.rules.durability
import data.kafka.rules.governance
import data.kafka.rules.lists
import data.kafka.rules.messages
import data.kafka.rules.naming
import data.kafka.rules.quotas
import data.kafka.rules.retention
import data.kafka.rules.sizing
import data.kafka.rules.tiering

# METADATA
# description: What every family, and a site's own, has against the prepared document in `input`.
violations := union({
	access.deny,
	brokers.deny,
	changes.deny,
	cleanup.deny,
	clients.deny,
	deletion.deny,
	durability.deny,
	governance.deny,
	lists.deny,
	messages.deny,
	naming.deny,
	quotas.deny,
	retention.deny,
	sizing.deny,
	tiering.deny,
	_site,
})

# What a site's rule leaves out, or gives in place of a violation, must not lose the denial.
_site contains object.union(_blank, violation) if {
	some violation in data.site.rules[_].deny
	is_object(violation)
}

_site contains object.union(_blank, {"message": json.marshal(other)}) if {
	some other in data.site.rules[_].deny
	not is_object(other)
}

_blank := {"rule": "SITE", "severity": "high", "message": "a rule of this site is broken", "fix": "", "path": [], "patch": []}
