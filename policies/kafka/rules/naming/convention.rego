# METADATA
# title: Naming
# description: Names of topics.
package kafka.rules.naming

import data.kafka.violation

# METADATA
# title: Topic name matches the convention
# description: A topic's name cannot be changed later, and ACL prefixes, quotas and cost reports are built on it.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs
# custom:
#   id: KFK-NAM-001
#   severity: medium
#   operations: [CreateTopic, AuditTopic]
#   params:
#     pattern: {type: string, format: regex, description: Regular expression (RE2) that a name must match.}
#     exemptPrefixes: {type: array, items: {type: string}, description: Names that begin so are exempt.}
#   message: topic name "{topic}" does not match the convention {pattern}
#   fix: choose a name that matches {pattern}; a name cannot be changed after creation
deny contains violation.new(rego.metadata.rule(), args, ["topic"], []) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	params := input.params["KFK-NAM-001"]

	# `not` would deny every name where the pattern cannot be read.
	regex.match(params.pattern, input.topic) == false
	strings.any_prefix_match(input.topic, params.exemptPrefixes) == false
	args := {"topic": input.topic, "pattern": params.pattern}
}

# METADATA
# scope: rule
# description: Of many names those that the rule has something against, since a scan asks about thousands at once.
candidates contains topic if {
	params := input.params["KFK-NAM-001"]
	some topic in input.topics
	regex.match(params.pattern, topic) == false
	strings.any_prefix_match(topic, params.exemptPrefixes) == false
}
