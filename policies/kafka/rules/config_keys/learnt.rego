package kafka.rules.config_keys

import data.kafka.model.learnt
import data.kafka.violation

# METADATA
# title: Configs whose values are bounded
# description: |
#   Of a setting that only the cluster itself describes its type is known, and a value of another type is refused. Which
#   values of that type do harm, nobody here knows.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-569%3A+DescribeConfigsResponse+-+Update+the+schema+to+include+additional+metadata+information+of+the+field
# custom:
#   id: KFK-CFG-004
#   severity: low
#   operations: [CreateTopic, AlterTopic, AlterBroker, AlterConfig]
#   params: {}
#   messages:
#     unbounded: "{name} is known from the cluster alone, as {type}: what bounds it, only its brokers know"
#     undescribed: "{name} is known from the cluster alone, which does not say what it does"
#   fix: look {name} up in the documentation of the cluster's brokers
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], []) if {
	input.operation in {"CreateTopic", "AlterTopic", "AlterBroker", "AlterConfig"}
	input.params["KFK-CFG-004"]
	some name, row in _learnt_row_by_name
	case := _learnt_case(row)
	args := {"case": case, "name": name, "type": row.type}
}

# What a change sets of configs that only the cluster describes, each with its row. A topic nearly always has
# none, and nothing is looked up.
_learnt_row_by_name := _uncatalogued_configs if {
	_config_kind == "topic"
	_uncatalogued_configs == {}
} else := learnt.new(input, _config_kind, {}, input.requested.configs) if {
	input.operation == "CreateTopic"
} else := learnt.new(input, _config_kind, input.change.before, input.requested.configs)

# Of a boolean both values are known.
_learnt_case(row) := "undescribed" if {
	object.get(row, "documentation", "") == ""
} else := "unbounded" if {
	row.type != "boolean"
}
