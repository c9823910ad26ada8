package kafka.rules.cleanup

import data.kafka.violation

# METADATA
# title: No settings of compaction on topics that are not compacted
# description: They have no effect; whoever set them may believe that the topic is compacted.
# related_resources:
#   - https://kafka.apache.org/documentation/#compaction
# custom:
#   id: KFK-CMP-005
#   severity: info
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     keys: {type: array, items: {type: string}, description: Configs that only compaction reads.}
#   message: "{name} {actual} has no effect: cleanup.policy does not have compact"
#   fix: remove {name}, or add compact to cleanup.policy
deny contains violation.new(rego.metadata.rule(), {"name": name, "actual": actual}, ["configs", name], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-CMP-005"]
	some name in params.keys
	actual := input.requested.values[name]
	not "compact" in input.effective.values["cleanup.policy"]
	patch := violation.removal(name)
}
