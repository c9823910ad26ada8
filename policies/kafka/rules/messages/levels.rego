package kafka.rules.messages

import data.kafka.violation

# METADATA
# title: Compression levels only with their codec
# description: A broker compresses with the topic's codec only; the level of another one has no effect.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_compression.gzip.level
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-390%3A+Support+Compression+Level
# custom:
#   id: KFK-MSG-003
#   severity: low
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     codecs:
#       type: object
#       additionalProperties: {type: string}
#       description: Compression level keys and the codec of each.
#   message: "{name} {actual} has no effect: compression.type is {used}"
#   fix: remove {name}, which only compression.type {codec} reads
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-MSG-003"]
	some name, codec in params.codecs
	actual := input.requested.values[name]
	used := input.effective.values["compression.type"]
	used != codec
	args := {"name": name, "actual": actual, "used": used, "codec": codec}
	patch := violation.removal(name)
}
