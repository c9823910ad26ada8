package kafka.rules.naming

import data.kafka.violation

# METADATA
# title: Topic name has an allowed prefix and suffix, and something between them
# description: |
#   A name that is only prefix and suffix says nothing; a foreign prefix puts a topic
#   into another environment's ACLs and reports.
# related_resources:
#   - https://kafka.apache.org/documentation/#topicconfigs
# custom:
#   id: KFK-NAM-002
#   severity: low
#   operations: [CreateTopic, AuditTopic]
#   params:
#     prefixes:
#       type: array
#       items: {type: string}
#       description: "Names begin with one of these; none: they begin as they like."
#     suffixes:
#       type: array
#       items: {type: string}
#       description: "Names end with one of these; none: they end as they like."
#     minCoreLength: {type: integer, minimum: 0, description: Least number of characters between prefix and suffix.}
#   messages:
#     prefix: topic name "{topic}" begins with none of {prefixes}
#     suffix: topic name "{topic}" ends with none of {suffixes}
#     core: topic name "{topic}" has {core} characters between its prefix and suffix, fewer than {least}
#   fix: choose a name of the form {form}; a name cannot be changed after creation
deny contains violation.new(rego.metadata.rule(), args, ["topic"], []) if {
	input.operation in {"CreateTopic", "AuditTopic"}
	params := input.params["KFK-NAM-002"]
	not input.requested.internal
	problem := _affix_args(input.topic, params)
	args := object.union(problem, {"topic": input.topic, "form": _name_form_text(params)})
}

_affix_args(topic, params) := {"case": "prefix", "prefixes": concat(", ", params.prefixes)} if {
	params.prefixes != []
	not strings.any_prefix_match(topic, params.prefixes)
} else := {"case": "suffix", "suffixes": concat(", ", params.suffixes)} if {
	params.suffixes != []
	not strings.any_suffix_match(topic, params.suffixes)
} else := {"case": "core", "core": core, "least": params.minCoreLength} if {
	core := max([0, (count(topic) - _prefix_length(topic, params)) - _suffix_length(topic, params)])
	core < params.minCoreLength
}

# Where several fit, the longest is the prefix: what is left over then is what really tells names apart.
_prefix_length(topic, params) := max({0} | {count(prefix) | some prefix in params.prefixes; startswith(topic, prefix)})

_suffix_length(topic, params) := max({0} | {count(suffix) | some suffix in params.suffixes; endswith(topic, suffix)})

_name_form_text(params) := concat("", [
	_choice_text(params.prefixes),
	$"<{params.minCoreLength} characters or more>",
	_choice_text(params.suffixes),
])

_choice_text([]) := ""

_choice_text(choices) := $"({concat("|", choices)})" if choices != []

# METADATA
# scope: rule
# description: Of many names those that the rule has something against, since a scan asks about thousands at once.
candidates contains topic if {
	params := input.params["KFK-NAM-002"]
	not input.requested.internal
	some topic in input.topics
	_affix_args(topic, params)
}
