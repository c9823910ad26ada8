package kafka.rules

import data.kafka.engine.legacy
import data.kafka.engine.made_topics
import data.kafka.engine.topic_defaults
import data.kafka.violation

# METADATA
# description: |
#   What is evaluated whatever the operation, here a site's own rules (data.site), and what a change of what topics
#   inherit does to these.
_common_denials contains denied if some denied in violation.site_violations

_common_denials contains denied if {
	input.operation == "AlterBroker"
	some denied in topic_defaults.deny
}

_common_denials contains denied if {
	input.operation == "StartBroker"
	some denied in topic_defaults.deny
}

_common_denials contains denied if {
	input.operation in {"AlterBroker", "AlterConfig", "StartBroker"}
	some denied in made_topics.deny
}

# So that Rego written for Kafka's older policies goes on working, where the settings name it.
_common_denials contains denied if {
	input.operation in {"CreateTopic", "AlterTopic", "AlterBroker", "AlterConfig"}
	some denied in legacy.deny
}

# What is not of this form proposes nothing.
_site_proposals contains {"rule": proposal.rule, "configs": proposal.configs} if {
	proposal := data.site.rules[_].annotate[_]
	is_string(proposal.rule)
	{type_name(value) | some value in proposal.configs} == {"string"}
}
