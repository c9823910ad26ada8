package kafka.verdict

import data.kafka.settings

# METADATA
# description: |
#   What documents of one cluster, door, time and operation have in common: worked out once for all of a batch, since
#   OPA remembers a function's results by its arguments.
_shared(document) := _worked_out(
	document.cluster,
	object.get(document, "point", ""),
	object.get(document, "now", null),
	_observed(document),
	document.operation,
)

_worked_out(cluster, point, now, observed, operation) := {
	"now": instant,
	"params": settings.params(cluster, point),
	"stateAge": age,
	"doubt": _doubt(age, observed, cluster, point, operation),
} if {
	instant := _nanoseconds(now)
	age := _seconds_between(observed, instant)
}

# When the state was observed: null where there is none, or where the document's own does not say; false where what is
# replicated does not say.
_observed(document) := observed if {
	observed := document.clusterState.meta.observedAt
} else := null if {
	document.clusterState
} else := observed if {
	observed := data.clusters[document.cluster].meta.observedAt
	observed != null
} else := false if {
	data.clusters[document.cluster]
} else := null

_nanoseconds(null) := time.now_ns()

_nanoseconds(text) := time.parse_rfc3339_ns(text) if text != null

_seconds_between(observed, instant) := null if {
	observed in {null, false}
} else := (instant - time.parse_rfc3339_ns(observed)) / 1000000000
