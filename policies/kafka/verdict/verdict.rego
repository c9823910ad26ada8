# METADATA
# title: Verdict
# description: The one evaluator. Every door and the scan come through here, one document at a time or many.
# scope: subpackages
package kafka.verdict

import data.kafka.errors
import data.kafka.request
import data.kafka.rules
import data.kafka.settings
import data.kafka.topics

# METADATA
# description: The decision about one document; for any JSON value there is one.
decide(document) := _refused({errors.new("INVALID_REQUEST", message) | some message in problems}) if {
	problems := request.errors(document)
	problems != set()
} else := _decision(document, topics.refusals(document), [], now) if {
	now := _now(document)
	not topics.subject(document)
} else := _decision(document, topics.refusals(document), violations, now) if {
	now := _now(document)
	in_force := settings.rules(document.cluster, object.get(document, "point", ""))
	found := rules.violations with input as _prepared(document, topics.subject(document), in_force, now)
	violations := [_judged(violation, in_force[violation.rule], document, now) | some violation in _ordered(found)]
}

_now(document) := time.parse_rfc3339_ns(document.now)

_now(document) := time.now_ns() if not document.now

_prepared(document, subject, in_force, now) := object.union(subject, {
	"operation": document.operation,
	"cluster": document.cluster,
	"principal": object.get(document, "principal", null),
	"point": object.get(document, "point", ""),
	"validateOnly": object.get(document, "validateOnly", false),
	"topic": document.request.topic,
	"request": document.request,
	"now": now,
	"params": {id: rule.params | some id, rule in in_force},
})

_ordered(found) := [violation |
	some key in sort({[violation.rule, violation.path, violation.message] | some violation in found})
	some violation in found
	[violation.rule, violation.path, violation.message] == key
]
