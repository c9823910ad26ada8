package kafka.verdict

import data.kafka.settings

# METADATA
# description: |
#   What documents of one cluster, door, time and operation have in common: worked out once for all of a batch, since
#   OPA remembers a function's results by its arguments.
_shared(document) := _worked_out(
	document.cluster,
	object.get(document, "point", ""),
	time.parse_rfc3339_ns(object.get(document, "now", time.format(time.now_ns()))),
	_observed(document),
	document.operation,
)

# Nearly every state is no older than the least that is allowed anywhere: nothing else is asked about its age then, nor
# a function for it.
_worked_out(cluster, point, now, observed, operation) := {
	"now": now,
	"params": settings.params(cluster, point),
	"stateAge": age,
	"doubt": null,
} if {
	age := (now - time.parse_rfc3339_ns(observed)) / 1000000000
	age <= data.settings.compiled.freshest
} else := {
	"now": now,
	"params": settings.params(cluster, point),
	"stateAge": age,
	"doubt": _doubt(age, observed, cluster, point, operation),
} if {
	age := _seconds_between(observed, now)
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

_seconds_between(observed, instant) := null if {
	observed in {null, false}
} else := (instant - time.parse_rfc3339_ns(observed)) / 1000000000
