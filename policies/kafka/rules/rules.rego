# METADATA
# title: Rules
# description: The families, by name. A rule is a file in its family's package; nothing registers it.
# scope: subpackages
# schemas:
#   - input: schema.prepared
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
# description: |
#   What the families, and a site's own, have against the prepared document in `input`. Each operation evaluates the
#   families that have rules about it and no others: a family without a violation costs about 3 µs and 30 allocations.
#   `families` in kafka/operations says which those are. They are written out here once more since OPA indexes these
#   rules: read from the table, family by family, a decision takes 2 to 7 % more allocations. The checks of rules hold
#   this file to the table, and the table to the METADATA of the rules.
# scope: document
violations := union({
	cleanup.deny,
	durability.deny,
	governance.deny,
	lists.deny,
	messages.deny,
	naming.deny,
	retention.deny,
	sizing.deny,
	tiering.deny,
	_always,
}) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	not input.part
}

violations := naming.deny if input.part == "name"

violations := governance.deny if input.part == "labels"

violations := union({
	cleanup.deny,
	durability.deny,
	lists.deny,
	messages.deny,
	retention.deny,
	sizing.deny,
	tiering.deny,
}) if {
	input.part == "configs"
}

violations := union({
	changes.deny,
	cleanup.deny,
	deletion.deny,
	durability.deny,
	lists.deny,
	messages.deny,
	retention.deny,
	sizing.deny,
	tiering.deny,
	_always,
}) if {
	input.operation == "AlterTopic"
}

violations := union({changes.deny, deletion.deny, _always}) if {
	input.operation == "DeleteTopic"
}

violations := union({changes.deny, cleanup.deny, deletion.deny, _always}) if {
	input.operation == "DeleteRecords"
}

violations := union({brokers.deny, changes.deny, lists.deny, _always}) if {
	input.operation == "AlterBroker"
}

violations := union({brokers.deny, lists.deny, _always}) if {
	input.operation == "StartBroker"
}

violations := union({brokers.deny, lists.deny, sizing.deny, _always}) if {
	input.operation == "AuditBroker"
}

violations := union({changes.deny, naming.deny, _always}) if {
	input.operation == "AlterConfig"
}

violations := union({access.deny, naming.deny, _always}) if {
	input.operation in {"CreateAcl", "AuditAcl"}
}

violations := union({naming.deny, quotas.deny, _always}) if {
	input.operation == "AlterQuota"
}

violations := union({clients.deny, _always}) if {
	input.operation in {"DescribeClientConfigs", "AlterClientConfigs", "AuditClientConfigs"}
}

violations := _always if input.operation in {"AlterScram", "DeleteAcl"}

# Whatever the operation is, the request came in some version of an API of Kafka's: looked at where the input tells.
_always contains denied if {
	input.api
	some denied in clients.deny
}

# METADATA
# description: |
#   The violations, and of a new or altered topic the configs that rules propose, each with the rule that proposes
#   them.
evaluation := [violations, _proposals] if {
	input.operation in {"CreateTopic", "AlterTopic"}
} else := [violations, set()]

_proposals := union({
	durability.annotate,
	_site_proposals,
})
