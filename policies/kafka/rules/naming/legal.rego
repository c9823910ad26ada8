package kafka.rules.naming

import data.kafka.violation

# METADATA
# title: Topic name is legal and short enough
# description: A broker, or this site, refuses other names; found in review it costs nothing.
# related_resources:
#   - https://github.com/apache/kafka/blob/4.3/clients/src/main/java/org/apache/kafka/common/internals/Topic.java
# custom:
#   id: KFK-NAM-003
#   severity: high
#   operations: [CreateTopic, AuditTopic]
#   params:
#     maxLength:
#       type: integer
#       minimum: 1
#       maximum: 249
#       description: Longest name in characters; Kafka's own limit is 249.
#   messages:
#     dots: topic name "{topic}" is not legal, it may not be "." or ".."
#     characters: topic name "{topic}" is not legal, it has characters other than a-z, A-Z, 0-9, ".", "_" and "-"
#     length: topic name "{topic}" is longer than {maxLength} characters
#   fixes:
#     dots: use a name of other characters than dots alone
#     characters: use at most {maxLength} of the characters a-z, A-Z, 0-9, ".", "_" and "-"
#     length: use at most {maxLength} of the characters a-z, A-Z, 0-9, ".", "_" and "-"
deny contains violation.new(rego.metadata.rule(), args, ["topic"], []) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	params := input.params["KFK-NAM-003"]

	# Compared at once, without a function or `not`: nearly every name passes, and a scan looks at thousands.
	facts := [
		regex.match(`^[a-zA-Z0-9._-]+$`, input.topic),
		count(input.topic) <= params.maxLength,
		input.topic in {".", ".."},
	]
	facts != [true, true, false]
	args := {"case": _illegal_case(input.topic), "topic": input.topic, "maxLength": params.maxLength}
}

_illegal_case(name) := "dots" if {
	name in {".", ".."}
} else := "characters" if {
	not regex.match(`^[a-zA-Z0-9._-]+$`, name)
} else := "length"

# METADATA
# scope: rule
# description: Of many names those that the rule has something against, since a scan asks about thousands at once.
candidates contains topic if {
	params := input.params["KFK-NAM-003"]
	some topic in input.topics
	facts := [
		regex.match(`^[a-zA-Z0-9._-]+$`, topic), # as in `deny`
		count(topic) <= params.maxLength,
		topic in {".", ".."},
	]
	facts != [true, true, false]
}
