# METADATA
# title: Verdict
# description: The one evaluator. Every door and the scan come through here, one document at a time or many.
# scope: subpackages
package kafka.verdict

import data.kafka.request
import data.kafka.rules
import data.kafka.settings
import data.kafka.topics

# METADATA
# description: |
#   The decision about one document; for any JSON value there is one. `own` is the part of it that no other document
#   of the same batch shares.
decide(own, document) := _decision(document, topics.refusals(document), violations, now) if {
	request.fits(own, document)
	now := _now(object.get(document, "now", null))
	point := object.get(document, "point", "")
	in_force := settings.rules(document.cluster, point)
	params := settings.params(document.cluster, point)
	found := rules.violations with input as _prepared(document, topics.subject(document), params, now)
	violations := [_judged(violation, in_force[violation.rule], document, now) | some violation in _ordered(found)]
} else := _decision(document, refusals, [], _now(object.get(document, "now", null))) if {
	request.fits(own, document)
	refusals := topics.refusals(document)
	refusals != set()
} else := refused(problems) if {
	problems := request.errors(document)
	problems != set()
} else := refused({"clusterState: the state of this resource is incomplete; replicate it again or send all of it"})

_now(null) := time.now_ns()

_now(text) := time.parse_rfc3339_ns(text) if text != null

_prepared(document, subject, params, now) := {
	"operation": document.operation,
	"cluster": document.cluster,
	"principal": object.get(document, "principal", null),
	"point": object.get(document, "point", ""),
	"validateOnly": object.get(document, "validateOnly", false),
	"topic": document.request.topic,
	"request": document.request,
	"now": now,
	"params": params,
	"current": subject.current,
	"requested": subject.requested,
	"effective": subject.effective,
	"change": subject.change,
	"labels": subject.labels,
}

_ordered(found) := [] if {
	found == set()
} else := [violation |
	some key in sort({[violation.rule, violation.path, violation.message] | some violation in found})
	some violation in found
	[violation.rule, violation.path, violation.message] == key
]
