package kafka.rules.changes

import data.kafka.changes
import data.kafka.configs
import data.kafka.violation

# METADATA
# title: Only listed configs are altered
# description: |
#   Where a platform team answers for a cluster, tenants alter what they understand and no
#   more; some configs may only go to one value.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs
# custom:
#   id: KFK-CHG-005
#   severity: medium
#   controls: [SOC2 CC8.1, PCI-DSS 6.5.1, ISO27001 A.8.32]
#   operations: [AlterTopic]
#   params:
#     mutable: {type: array, items: {type: string}, description: Configs that may be altered to any value.}
#     enforced:
#       type: object
#       additionalProperties: {type: string}
#       description: Configs that may be altered to this value only.
#   messages:
#     unlisted: "{name} may not be altered to {after}: it is not one of the configs that may be"
#     enforced: "{name} may not be altered to {after}: only {only} is allowed"
#   fix: leave {name} as it is, or ask those who run the cluster to change it
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], []) if {
	input.operation == "AlterTopic"
	params := input.params["KFK-CHG-005"]
	some name in changes.altered_names("topic", input.change)
	not name in params.mutable
	after := object.get(input.effective.values, name, "the brokers' default")
	problem := _immutable_config_args(name, after, object.get(params.enforced, name, null))
	args := object.union(problem, {"name": name, "after": after})
}

_immutable_config_args(_, _, null) := {"case": "unlisted"}

_immutable_config_args(name, after, text) := {"case": "enforced", "only": text} if {
	text != null
	not _is_same_value(name, after, text)
}

_is_same_value(name, value, text) if configs.typed("topic", name, text) == value

_is_same_value(name, value, text) if {
	is_array(value)
	changes.altered_names("topic", {"before": {name: text}, "after": {name: concat(",", value)}}) == set()
}
