package kafka.rules.clients

import data.kafka.base.globs
import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: Consumers of transactional topics read what was committed
# description: |
#   By default a consumer is given the records of aborted transactions as well. Evaluated where the cluster's state has
#   the application's own configs: its group.id tells which topics it reads, by the offsets that the group has
#   committed.
# related_resources:
#   - https://kafka.apache.org/documentation/#consumerconfigs_isolation.level
# custom:
#   id: KFK-CLI-003
#   severity: medium
#   operations: [AuditClientConfigs]
#   params:
#     topics:
#       type: array
#       items: {type: string, format: glob}
#       description: Topics that are written in transactions; * matches any characters.
#   message: consumers of {entity} read {topics} with isolation.level={actual}, aborted records among the others
#   fix: set isolation.level to read_committed
deny contains violation.new(rego.metadata.rule(), args, ["configs", "isolation.level"], []) if {
	input.operation == "AuditClientConfigs"
	params := input.params["KFK-CLI-003"]
	actual := _static_config_or_default("consumer", "isolation.level")
	actual != "read_committed"
	group := trim_space(_static_configs("consumer")["group.id"])
	read := {topic |
		some topic, _ in cluster.part(input, "groups")[group].offsets
		globs.has_match(params.topics, topic)
	}
	read != set()
	args := {"entity": _entity_text, "actual": actual, "topics": concat(", ", sort(read))}
}
