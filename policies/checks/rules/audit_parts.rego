package checks.rules

import data.kafka.operations

# METADATA
# description: |
#   A scan asks about each distinct part of a topic's audit once (kafka/audit_parts), so a rule may read only what its
#   family's part carries; a rule that reads the topic's name says so in its METADATA (`named`).
_part_problems contains _problem(rule.file, ref, message) if {
	some part in _audit_parts
	some rule in _library_rules
	split(rule.file, "/")[2] in part.families
	"AuditTopic" in rule.annotation.custom.operations
	walk(input.modules[rule.file], [_, ref])
	ref.type == "ref"
	ref.value[0].value == "input"
	fields := [field.value | some field in array.slice(ref.value, 1, 3); field.type == "string"]
	fields != []
	not _is_carried(part, fields, rule)
	message := $"an audit of a topic's {part.name} does not carry input.{concat(".", fields)}: {_part_advice}"
}

# All of the input goes to nobody who may look at what a part lacks.
_part_problems contains _problem(rule.file, ref, $"all of the input of an audit is given away: {_part_advice}") if {
	some part in _audit_parts
	some rule in _library_rules
	split(rule.file, "/")[2] in part.families
	"AuditTopic" in rule.annotation.custom.operations
	walk(input.modules[rule.file], [path, ref])
	ref.type == "ref"
	[piece.value | some piece in ref.value] == ["input"]
	called := object.get(input.modules[rule.file], array.slice(path, 0, count(path) - 1), [])
	not _is_look_up(called)
}

# A scan has names evaluated thousands at once, by the candidates of each rule: a rule without any would be skipped.
_part_problems contains _problem(rule.file, rule, message) if {
	some rule in _library_rules
	split(rule.file, "/")[2] == "naming"
	"AuditTopic" in rule.annotation.custom.operations
	not "candidates" in {_rule_name(other) | some other in input.modules[rule.file].rules}
	message := "no rule `candidates` says which of many names (input.topics) `deny` has something against"
}

_is_look_up([callee, _, _]) if [piece.value | some piece in callee.value] in [
	["cluster", "part"],
	["cluster", "broker_default"],
]

_is_look_up([callee, _, path, _]) if {
	[piece.value | some piece in callee.value] == ["object", "get"]
	path.value[0].value == "clusterState"
}

_part_advice := "let the rule be about another operation, or extend the part"

_is_carried(part, fields, _) if fields[0] in part.whole

_is_carried(part, fields, _) if {
	fields[0] in {"current", "requested"}
	fields[1] in part.state
}

_is_carried(_, ["topic"], rule) if rule.annotation.custom.named

_audit_parts := [
	{
		"name": "name",
		"families": operations.AuditTopicName.families,
		"whole": {"operation", "params", "cluster", "clusterState", "topic", "topics"},
		"state": {"internal"},
	},
	{
		"name": "labels",
		"families": operations.AuditTopicLabels.families,
		"whole": {"operation", "params", "cluster", "clusterState", "labels"},
		"state": {"internal"},
	},
	{
		"name": "configs",
		"families": operations.AuditTopicConfigs.families,
		"whole": {"operation", "params", "cluster", "clusterState", "labels", "effective"},
		"state": {"numPartitions", "replicationFactor", "configs", "values", "internal"},
	},
]
