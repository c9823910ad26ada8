package kafka.engine.topic_defaults

# METADATA
# description: |
#   Violations with their effects and causes, without those of rules about a broker's defaults that a rule about topics
#   says too, with names, and no milder: of one thing there is one violation.
once(violations) := [violation | some violation in violations; not _is_said_of_topics(violation, violations)]

_is_said_of_topics(violation, violations) if {
	data.catalog.rules[violation.rule].inherited
	some other in violations
	other.topics.config == _config_of(violation.path[1])
	other.cause == violation.cause
	_ranks[other.effect] >= _ranks[violation.effect]
	not violation.topics
}

_config_of(key) := config if {
	config := data.catalog.topic.inherits[key]
} else := name if {
	some name, keys in _creation_synonyms
	keys == [key]
}

_ranks := {"waived": 0, "dryrun": 1, "warn": 2, "deny": 3}
