package kafka.rules.tiering

import data.kafka.violation

# METADATA
# title: Tiered storage where it can be, and turned off on purpose
# description: |
#   Brokers refuse it on compacted topics, and refuse to turn it off unless what the remote store has may be deleted.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_remote.storage.enable
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-950%3A++Tiered+Storage+Disablement
# custom:
#   id: KFK-TIE-002
#   severity: high
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   reversible: false
#   messages:
#     compacted: remote.storage.enable is true on a compacted topic
#     off: remote.storage.enable is turned off, and nothing says that remote records may be deleted
#   fixes:
#     compacted: >-
#       set cleanup.policy to delete, or remote.storage.enable to false; where it is on already, that needs
#       remote.log.delete.on.disable true, which deletes what the remote store has
#     off: >-
#       set remote.log.delete.on.disable to true to delete them; to keep them, leave remote.storage.enable, set
#       remote.log.copy.disable to true, and local.retention.ms and local.retention.bytes to -2
deny contains violation.new(rego.metadata.rule(), args, ["configs", "remote.storage.enable"], []) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	input.params["KFK-TIE-002"]
	some case in _remote_problems
	args := {"case": case}
}

_remote_problems contains "compacted" if {
	input.effective.values["remote.storage.enable"] == true
	"compact" in input.effective.values["cleanup.policy"]
}

_remote_problems contains "off" if {
	input.current.values["remote.storage.enable"] == true
	not input.effective.values["remote.storage.enable"]
	not input.effective.values["remote.log.delete.on.disable"]
}
