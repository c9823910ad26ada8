package kafka.rules.@FAMILY@

import data.kafka.violation

# METADATA
# title: @TITLE@
# description: |
#   Say here what breaks where this is not kept.
# custom:
#   id: @ID@
#   severity: medium
#   operations: [CreateTopic]
#   params:
#     forbidden:
#       type: array
#       items: {type: string}
#       description: Names that no new topic may have.
#   message: topic name "{topic}" is not allowed
#   fix: choose another name; a name cannot be changed after creation
deny contains violation.new(rego.metadata.rule(), {"topic": input.topic}, ["topic"], []) if {
	input.operation == "CreateTopic"
	params := input.params["@ID@"]
	input.topic in params.forbidden
}
