package kafka.verdict

import data.kafka.settings

# What documents of one cluster, door and time have in common: worked out once for all of a batch, since OPA remembers
# a function's results by its arguments.
_shared(document) := _worked_out(
	document.cluster,
	object.get(document, "point", ""),
	object.get(document, "now", null),
	_observed(document),
)

_worked_out(cluster, point, now, observed) := {
	"now": instant,
	"params": settings.params(cluster, point),
	"stateAge": _seconds_between(observed, instant),
} if {
	instant := _nanoseconds(now)
}

_observed(document) := object.get(document.clusterState, ["meta", "observedAt"], null) if {
	document.clusterState
} else := object.get(data.clusters, [document.cluster, "meta", "observedAt"], null)

_nanoseconds(null) := time.now_ns()

_nanoseconds(text) := time.parse_rfc3339_ns(text) if text != null

_seconds_between(null, _) := null

_seconds_between(observed, instant) := (instant - time.parse_rfc3339_ns(observed)) / 1000000000 if observed != null
