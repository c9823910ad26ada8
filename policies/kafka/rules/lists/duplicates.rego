package kafka.rules.lists

import data.kafka.lists
import data.kafka.violation

# METADATA
# title: No value twice in a list
# description: |
#   Kafka drops the second of two equal values when it starts, with a warning, and refuses it where Connect validates.
#   The setting says which of the two a value gets: `parse` warns, `validate` denies.
# related_resources:
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-1161
# custom:
#   id: KFK-LST-003
#   severity: medium
#   order: same
#   operations: [CreateTopic, AlterTopic, AuditTopic, AlterBroker, StartBroker, AuditBroker]
#   params:
#     newValues: {type: string, enum: [parse, validate], description: What a value gets that a request names.}
#     storedValues:
#       type: string
#       enum: [parse, validate]
#       description: What a value gets that is stored already or in a broker's file.
#   messages:
#     parse: Configuration key "{config}" contains duplicate values. {consequence}
#     validate: Configuration '{config}' values must not be duplicated.
#   fix: set {name} to {distinct}
deny contains object.union(raw, weight) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic", "AlterBroker", "StartBroker", "AuditBroker"}
	some fault in _list_faults
	params := input.params["KFK-LST-003"]
	fault.kind == "duplicate"
	distinct := lists.without_duplicates(fault.name, fault.value)
	mode := _duplicates_mode(fault.key, params)
	args := {
		"case": mode,
		"name": fault.key,
		"config": fault.name,
		"distinct": distinct,
		"consequence": trim_prefix(
			lists.duplicates_warning(fault.name, fault.value),
			$"Configuration key \"{fault.name}\" contains duplicate values. ",
		),
	}
	patch := violation.addition(fault.key, distinct)
	raw := violation.new(rego.metadata.rule(), args, ["configs", fault.key], patch)
	weight := _effect_by_mode[mode]
}

_duplicates_mode(key, params) := params.newValues if {
	_is_set_by_request(key)
} else := params.storedValues

_effect_by_mode := {"parse": {"effect": "warn"}, "validate": {}}
