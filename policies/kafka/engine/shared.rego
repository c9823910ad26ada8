package kafka.engine

import data.kafka.settings

# METADATA
# description: |
#   What a document that does not say who asks (true) is laid over: who is not authenticated is User:ANONYMOUS, as in
#   Kafka, to every rule.
principals := {true: {"principal": {"type": "User", "name": "ANONYMOUS"}}, false: {}}

# METADATA
# description: |
#   What documents of one cluster, enforcement point, time and operation have in common: evaluated once for all of a
#   batch, since OPA remembers a function's results by its arguments.
_shared(document) := _shared_values(
	document.cluster,
	object.get(document, "enforcementPoint", ""),
	time.parse_rfc3339_ns(object.get(document, "now", time.format(time.now_ns()))),
	_observed(document),
	_withheld(document),
	document.operation,
)

# Nearly every state is within the least limits that hold anywhere: no settings are looked up for it then, and no
# function is called.
_shared_values(cluster, enforcement_point, now, observed, withheld, operation) := {
	"now": now,
	"params": settings.params(cluster, enforcement_point),
	"stateAge": age,
	"doubt": null,
} if {
	withheld == {"needed": [], "counted": []}
	age := (now - time.parse_rfc3339_ns(observed)) / 1000000000
	age <= data.settings.compiled.fresh.maxAgeSeconds
	age >= 0 - data.settings.compiled.fresh.maxAheadSeconds
} else := {
	"now": now,
	"params": settings.params(cluster, enforcement_point),
	"stateAge": age,
	"doubt": _both(
		_staleness(age, observed, cluster, enforcement_point, operation),
		_ignorance(withheld, cluster, enforcement_point, operation),
	),
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
