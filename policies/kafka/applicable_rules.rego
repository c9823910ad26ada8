package kafka

import data.kafka.base.settings
import data.kafka.engine
import data.kafka.operations

# METADATA
# title: Rules that apply
# description: |
#   The ids of the rules that a decision about each operation evaluates, for the `cluster` and `enforcementPoint` in the
#   input: a rule that is here and not among a decision's violations has passed. Requested once for a cluster, so that
#   decisions do not list what they did not break. With `labels` false, as in the `meta` of a cluster whose source knows
#   none, audits are without the rules about labels. A site's own rules are here where their METADATA names operations.
# entrypoint: true
applicable_rules[operation] contains id if {
	some id, mode in settings.modes(input.cluster, object.get(input, "enforcementPoint", ""))
	mode.mode != "disabled"
	rule := data.catalog.rules[id]
	some of in engine.evaluated_operations(id, rule)
	some operation in of
	not _is_label_rule_without_labels(rule, operation)
}

applicable_rules[operation] contains id if {
	some id, rule in data.site.metadata
	mode := object.get(settings.modes(input.cluster, object.get(input, "enforcementPoint", "")), id, {"mode": "deny"})
	mode.mode != "disabled"
	some operation in rule.operations
}

_is_label_rule_without_labels(rule, operation) if {
	input.labels == false
	operation in {"AuditTopic", "AuditTopicLabels"}
	split(rule.file, "/")[2] in operations.AuditTopicLabels.families
}
