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
decide(own, document) := _decision(document, topics.refusals(document), _judged(found, document, now), now) if {
	request.fits(own, document)
	now := _now(object.get(document, "now", null))
	found := rules.violations with input as _prepared(document, topics.subject(document), now)
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

# What rules see as `input`.
_prepared(document, subject, now) := object.union(subject, {
	"operation": document.operation,
	"cluster": document.cluster,
	"principal": object.get(document, "principal", null),
	"point": point,
	"validateOnly": object.get(document, "validateOnly", false),
	"topic": document.request.topic,
	"request": document.request,
	"now": now,
	"params": settings.params(document.cluster, point),
}) if {
	point := object.get(document, "point", "")
}
