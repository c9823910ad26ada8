package kafka.engine.topic_defaults

# METADATA
# description: |
#   Violations with their effects and causes, without those of rules about a broker's defaults that a rule about topics
#   says too, with names, and no milder: of one thing there is one violation.
without_repeats(violations) := [violation | some violation in violations; not _has_topic_repeat(violation, violations)]

_has_topic_repeat(violation, violations) if {
	data.catalog.rules[violation.rule].inherited
	some other in violations
	other.topics.config == _inheriting_topic_config(violation.path[1])
	other.cause == violation.cause
	_rank_by_effect[other.effect] >= _rank_by_effect[violation.effect]
	not violation.topics
}

_inheriting_topic_config(key) := config if {
	config := data.catalog.topic.inherits[key]
} else := name if {
	some name, keys in _creation_field_synonyms
	keys == [key]
}

_rank_by_effect := {"waived": 0, "dryrun": 1, "warn": 2, "deny": 3}
