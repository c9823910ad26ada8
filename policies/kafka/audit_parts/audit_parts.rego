# METADATA
# title: Parts of an audit
# description: |
#   What an audit of a topic looks at falls into three parts: its name, its labels, and its configs and numbers.
#   Thousands of topics share their labels or their configs, so a scan asks about each distinct part once. Each part
#   is an operation whose request carries all that its rules read; what the three say together is what AuditTopic
#   says (plan.rego tells when, and how to divide).
# scope: subpackages
package kafka.audit_parts

import data.kafka.base.request
import data.kafka.configs
import data.kafka.model.learnt

# METADATA
# description: |
#   What rules see as `input` for a part: an audit, with the part's name in `part`.
#   `topic` is there where the request has it.
# scope: document
prepared("AuditTopicName", shared, document) := object.union(document, {
	"operation": "AuditTopic",
	"part": "name",
	"now": shared.now,
	"params": shared.params,
	"topic": document.request.topic,
	"requested": {"internal": document.request.internal},
}) if {
	request.is_known(document)
}

prepared("AuditTopicLabels", shared, document) := object.union(_with_topic(document), {
	"operation": "AuditTopic",
	"part": "labels",
	"now": shared.now,
	"params": shared.params,
	"labels": document.request.labels,
	"requested": {"internal": document.request.internal},
}) if {
	request.is_known(document)
}

prepared("AuditTopicConfigs", shared, document) := object.union(_with_topic(document), {
	"operation": "AuditTopic",
	"part": "configs",
	"now": shared.now,
	"params": shared.params,
	"labels": document.request.labels,
	"current": state,
	"requested": state,
	"effective": {"values": object.union(configs.topic_defaults(document), values)},
}) if {
	request.is_known(document)
	overrides := document.request.configs
	values := learnt.typed(document, "topic", overrides, configs.values("topic", overrides))
	state := object.union(document.request, {"values": values})
}

_with_topic(document) := object.union(document, object.filter(document.request, ["topic"]))
