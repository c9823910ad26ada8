package kafka

import data.kafka.settings

# METADATA
# title: Evidence
# description: |
#   Which rules a decision about each operation asks, for the `cluster` and `point` in the input: what was
#   decided and is not among a decision's violations has passed. Asked once a cluster, so that no decision
#   carries what it did not break. With `labels` false, as in the `meta` of a cluster whose source knows none,
#   the rules about labels have not been asked.
# entrypoint: true
evidence[operation] contains id if {
	some id, mode in settings.modes(input.cluster, object.get(input, "point", ""))
	mode.mode != "disabled"
	rule := data.catalog.rules[id]
	not _unasked(rule)
	some operation in rule.operations
}

_unasked(rule) if {
	input.labels == false
	contains(object.get(rule, "file", ""), "rules/governance/")
}
