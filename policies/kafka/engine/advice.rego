package kafka.engine

import data.kafka.cluster

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
	count(message) <= _longest_message
} else := error

_longest_message := 8000 # characters, each of four bytes at most

_advice_of_rules(advice, violations) := sort({text |
	some violation in violations
	violation.effect == "deny"
	text := advice.rules[violation.rule]
})

_advice_of_owner_and_all(advice, document) := [text |
	some text in [
		object.get(advice, ["owners", _owner(document)], null),
		object.get(advice, "all", null),
	]
	text != null
]

_owner(document) := owner if {
	owner := document.request.labels[_owner_key]
} else := owner if {
	owner := cluster.topic(document, document.request.topic).labels[_owner_key]
} else := ""

_owner_key := object.get(data.settings.compiled, ["base", "params", "KFK-GOV-001", "labelKey"], "owner")
