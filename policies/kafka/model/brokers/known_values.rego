package kafka.model.brokers

import data.kafka.violation

# METADATA
# description: |
#   The values that rules can look at: of a broker all that are in force; of the cluster-wide default only what it sets,
#   since the rest stands in each broker's own file.
# scope: document
known_values(document) := document.effective.values if document.broker != ""

known_values(document) := document.requested.values if document.broker == ""

# METADATA
# description: |
#   A patch of the request that sets a config to `value`. The file of a broker that starts is a list of values; what
#   alters one names only some, so that there is no place to mend.
patch(document, name, value) := violation.addition(name, value) if {
	document.operation == "StartBroker"
} else := []
