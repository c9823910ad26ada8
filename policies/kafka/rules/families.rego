package kafka.rules

import data.kafka.rules.access
import data.kafka.rules.brokers
import data.kafka.rules.changes
import data.kafka.rules.cleanup
import data.kafka.rules.clients
import data.kafka.rules.config_keys
import data.kafka.rules.deletion
import data.kafka.rules.durability
import data.kafka.rules.governance
import data.kafka.rules.lists
import data.kafka.rules.messages
import data.kafka.rules.naming
import data.kafka.rules.quotas
import data.kafka.rules.retention
import data.kafka.rules.sizing
import data.kafka.rules.stored
import data.kafka.rules.tiering

# METADATA
# description: |
#   What the families, and a site's own rules, have against the prepared document in `input`. Written by
#   `python -m tools.families` from the column `families` of kafka/operations: a family without a violation costs
#   about 3 µs and 30 allocations, so that only those are evaluated that have rules about the operation.
# scope: document
violations := _common_denials if {
	input.operation in {"AlterScram", "DeleteAcl"}
}

violations := union({access.deny, _common_denials}) if {
	input.operation in {"CreateDelegationToken", "ExpireDelegationToken", "RenewDelegationToken"}
}

violations := union({access.deny, naming.deny, _common_denials}) if {
	input.operation in {"AuditAcl", "CreateAcl"}
}

violations := union({brokers.deny, changes.deny, _common_denials}) if {
	input.operation in {"AddRaftVoter", "AlterReplicaLogDirs", "RemoveRaftVoter", "UnregisterBroker"}
}

violations := union({brokers.deny, changes.deny, config_keys.deny, lists.deny, _common_denials}) if {
	input.operation == "AlterBroker"
}

violations := union({brokers.deny, lists.deny, _common_denials}) if {
	input.operation == "StartBroker"
}

violations := union({brokers.deny, lists.deny, sizing.deny, stored.deny, _common_denials}) if {
	input.operation == "AuditBroker"
}

violations := union({changes.deny, _common_denials}) if {
	input.operation == "UpdateFeatures"
}

violations := union({
	changes.deny, cleanup.deny, config_keys.deny, deletion.deny, durability.deny, lists.deny,
	messages.deny, retention.deny, sizing.deny, tiering.deny, _common_denials,
}) if {
	input.operation == "AlterTopic"
}

violations := union({changes.deny, cleanup.deny, deletion.deny, _common_denials}) if {
	input.operation == "DeleteRecords"
}

violations := union({changes.deny, config_keys.deny, naming.deny, _common_denials}) if {
	input.operation == "AlterConfig"
}

violations := union({changes.deny, deletion.deny, _common_denials}) if {
	input.operation in {"AlterGroupOffsets", "DeleteGroup", "DeleteGroupOffsets", "DeleteTopic"}
}

violations := union({
	cleanup.deny, config_keys.deny, durability.deny, governance.deny, lists.deny, messages.deny,
	naming.deny, retention.deny, sizing.deny, stored.deny, tiering.deny, _common_denials,
}) if {
	input.operation == "AuditTopic"
	not input.part
}

violations := union({
	cleanup.deny, config_keys.deny, durability.deny, governance.deny, lists.deny, messages.deny,
	naming.deny, retention.deny, sizing.deny, tiering.deny, _common_denials,
}) if {
	input.operation == "CreateTopic"
}

violations := union({clients.deny, _common_denials}) if {
	input.operation in {"AlterClientConfigs", "AuditClientConfigs", "DescribeClientConfigs"}
}

violations := union({durability.deny, _common_denials}) if {
	input.operation == "ElectLeaders"
}

violations := union({naming.deny, quotas.deny, _common_denials}) if {
	input.operation == "AlterQuota"
}

violations := union({
	cleanup.deny, config_keys.deny, durability.deny, lists.deny, messages.deny, retention.deny,
	sizing.deny, stored.deny, tiering.deny,
}) if {
	input.part == "configs"
}

violations := governance.deny if {
	input.part == "labels"
}

violations := naming.deny if {
	input.part == "name"
}
