package kafka.rules.cleanup

import data.kafka.model.topics
import data.kafka.violation

# METADATA
# title: Compaction happens in time
# description: |
#   A topic whose records must wait longer than they may is refused; one that may wait for ever erases nothing by
#   a date.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs_max.compaction.lag.ms
#   - https://cwiki.apache.org/confluence/display/KAFKA/KIP-354
# custom:
#   id: KFK-CMP-003
#   severity: medium
#   controls: [SOC2 C1.2, ISO27001 A.8.10]
#   order: {of: actual, from: limit}
#   operations: [CreateTopic, AlterTopic, AuditTopic]
#   params:
#     max:
#       type: integer
#       minimum: 1
#       description: Longest max.compaction.lag.ms, and min.compaction.lag.ms with it, of data that has to be erased by
#         a date.
#     labelKey: {type: string, minLength: 1, description: Label that names the class of data.}
#     classes: {type: array, items: {type: string}, description: Classes of data that have to be erased by a date.}
#   messages:
#     topic: "{name} {actual} is above {limit}, the topic's max.compaction.lag.ms"
#     class: "{name} {actual} is above {limit}, the longest where {labelKey} is {class}"
#   fix: set {name} to {limit} or less
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], patch) if {
	input.operation in {"CreateTopic", "AlterTopic", "AuditTopic"}
	"compact" in input.effective.values["cleanup.policy"]
	input.params["KFK-CMP-003"]
	some name, bound in _upper_bound_by_lag_config
	actual := input.effective.values[name]
	actual > bound.limit
	patch := violation.addition(name, json.marshal(bound.limit))
	args := object.union(bound, {"name": name, "actual": actual})
}

# What a topic of the class may wait for at most is to hold for both, or Kafka would refuse the one without the other.
_upper_bound_by_lag_config["min.compaction.lag.ms"] := _class_bound if {
	input.effective.values["max.compaction.lag.ms"] > _class_bound.limit
} else := {"case": "topic", "limit": input.effective.values["max.compaction.lag.ms"]}

_upper_bound_by_lag_config["max.compaction.lag.ms"] := _class_bound

_class_bound := {
	"case": "class",
	"limit": params.max,
	"labelKey": params.labelKey,
	"class": class,
} if {
	params := input.params["KFK-CMP-003"]
	class := topics.label(input.labels, params.labelKey, null)
	class in params.classes
}
