package kafka.engine

import data.kafka.engine.made_topics
import data.kafka.engine.topic_defaults
import data.kafka.operations

# METADATA
# description: |
#   The operations whose decisions evaluate a rule of the library, by what for: the request (`own`), topics that are to
#   inherit another default (`inherited`), or topics that brokers are to make (`made`).
evaluated_operations(id, rule) := {
	"own": ({operation | some operation in rule.operations} | _audit_part_operations(rule)),
	"inherited": {operation |
		topic_defaults.is_evaluated(id, rule)
		some operation in topic_defaults.operations
	},
	"made": {operation |
		made_topics.is_evaluated(rule)
		some operation in made_topics.operations
	},
}

_audit_part_operations(rule) := {operation |
	"AuditTopic" in rule.operations
	some operation, row in operations
	row.subject == "part"
	split(rule.file, "/")[2] in row.families
}
