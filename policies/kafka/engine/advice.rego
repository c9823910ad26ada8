package kafka.engine

import data.kafka.base.settings
import data.kafka.cluster
import data.kafka.model.topics

# METADATA
# description: |
#   The message that a client of Kafka reads, with what the site's settings (`advice`) say beside it: of each rule that
#   denies, of the owner of what it is about, and of everything. It is left out where the message would be longer than
#   Kafka's field of 32,767 bytes holds.
_with_advice(error, violations, document) := object.union(error, {"message": message}) if {
	error != null
	advice := object.get(data.settings.compiled, "advice", {})
	advice != {} # hardly ever
	sentences := array.concat(_advice_of_rules(advice, violations), _advice_of_owner_and_all(advice, document))
	message := concat("; ", array.concat([error.message], sentences))
	count(message) <= _max_message_characters
} else := error

_max_message_characters := 8000 # characters, each of four bytes at most

_advice_of_rules(advice, violations) := sort({text |
	some violation in violations
	violation.effect == "deny"
	text := advice.rules[violation.rule]
})

_advice_of_owner_and_all(advice, document) := [text |
	some text in [
		object.get(advice, ["owners", _topic_owner(document)], null),
		object.get(advice, "all", null),
	]
	text != null
]

_topic_owner(document) := owner if {
	owner := topics.label(document.request.labels, settings.owner_label, "")
	owner != ""
} else := owner if {
	owner := topics.label(cluster.topic(document, document.request.topic).labels, settings.owner_label, "")
} else := ""
