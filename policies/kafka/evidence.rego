package kafka

import data.kafka.settings

# METADATA
# title: Evidence
# description: |
#   Which rules a decision about each operation asks, for the `cluster` and `point` in the input: what was decided and is
#   not among a decision's violations has passed. Asked once a cluster, so that no decision carries what it did not break.
# entrypoint: true
evidence[operation] contains id if {
	some id, mode in settings.modes(input.cluster, object.get(input, "point", ""))
	mode.mode != "disabled"
	some operation in data.catalog.rules[id].operations
}
