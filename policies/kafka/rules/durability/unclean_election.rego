package kafka.rules.durability

import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: No unclean leader election
# description: A replica that has fallen behind would become leader and discard records that were acknowledged.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_unclean.leader.election.enable
# custom:
#   id: KFK-DUR-005
#   severity: critical
#   controls: [SOC2 A1.2, SOC2 PI1.5, ISO27001 A.8.14]
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     labelKey: {type: string, minLength: 1, description: Label that names the class of data.}
#     allowClasses:
#       type: array
#       items: {type: string}
#       description: Classes of data that may be lost for the sake of being available.
#   message: unclean.leader.election.enable is {actual}, so that acknowledged records may be discarded
#   fix: set unclean.leader.election.enable to false
deny contains violation.new(rego.metadata.rule(), {"actual": actual}, path, patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	params := input.params["KFK-DUR-005"]
	actual := object.get(input.effective.values, "unclean.leader.election.enable", "not known")
	actual != false
	not topics.label(input.labels, params.labelKey, null) in params.allowClasses
	patch := violation.addition("unclean.leader.election.enable", "false")
	path := ["configs", "unclean.leader.election.enable"]
}
