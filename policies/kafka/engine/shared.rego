package kafka.engine

import data.kafka.base.settings

# METADATA
# description: |
#   What a document that does not say who asks (true) is laid over: who is not authenticated is User:ANONYMOUS, as in
#   Kafka, to every rule.
anonymous_overlay := {true: {"principal": {"type": "User", "name": "ANONYMOUS"}}, false: {}}

# METADATA
# description: |
#   What documents of one cluster, enforcement point, time and operation have in common: evaluated once for all of a
#   batch, since OPA remembers a function's results by its arguments.
_shared_values(document) := _memoized_shared_values(
	document.cluster,
	object.get(document, "enforcementPoint", ""),
	time.parse_rfc3339_ns(object.get(document, "now", time.format(time.now_ns()))),
	_observation_time(document),
	_missing_state(document),
	document.operation,
)

# Nearly every state is within the least limits that hold anywhere: no settings are looked up for it then, and no
# function is called.
_memoized_shared_values(cluster, enforcement_point, now, observed, withheld, operation) := {
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
	"doubt": _joint_doubt(
		_staleness_doubt(age, observed, cluster, enforcement_point, operation),
		_missing_state_doubt(withheld, cluster, enforcement_point, operation),
	),
} if {
	age := _seconds_between(observed, now)
}

# When the state was observed: null where there is none, or where the document's own does not say; false where what is
# replicated does not say.
_observation_time(document) := observed if {
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
} else := (instant - _clamped_nanoseconds(observed)) / 1000000000

# OPA counts time in nanoseconds, in 64 bits: a time before or after what it can count is the first or last that it can.
_clamped_nanoseconds(observed) := nanoseconds if {
	nanoseconds := time.parse_rfc3339_ns(observed)
} else := 9223372036854775807 if {
	regex.match(`^(226[2-9]|22[7-9][0-9]|2[3-9][0-9]{2}|[3-9][0-9]{3})-[0-9]{2}-[0-9]{2}T`, observed)
} else := -9223372036854775808 if {
	regex.match(`^(0[0-9]{3}|1[0-5][0-9]{2}|16[0-7][0-9])-[0-9]{2}-[0-9]{2}T`, observed)
}
