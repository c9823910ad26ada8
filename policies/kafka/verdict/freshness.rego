package kafka.verdict

import data.kafka.errors
import data.kafka.request
import data.kafka.rules
import data.kafka.settings

# METADATA
# description: |
#   What speaks against going by the cluster's state: {"then", "line"} where it is older than the settings allow for the
#   operation, null where it is not. `observed` is null where there is no state that could be old, and false where what
#   is replicated does not say when it was observed: that is older than anything allows.
_doubt(age, observed, cluster, point, operation) := null if {
	observed == null
} else := null if {
	_passes(age, settings.freshness(cluster, point, operation))
} else := {"then": limit.then, "line": line} if {
	limit := settings.freshness(cluster, point, operation)
	line := concat("", [
		$"freshness: the state of cluster '{cluster}' {_words_of(age)}, and {operation} wants it no older than",
		$" {limit.maxAgeSeconds} seconds: {_advice[limit.then]}",
	])
}

_passes(_, limit) if limit.then == "ignore"

_passes(age, limit) if {
	is_number(age)
	age <= limit.maxAgeSeconds
}

_words_of(null) := "does not say when it was observed"

_words_of(age) := $"is {floor(age)} seconds old" if age != null

_advice := {
	"deny": "see that it is replicated, then ask again",
	"warn": "see that it is replicated",
	"request": "this was decided on the request alone",
}

# The decision where the state is in doubt. A refusal is the site's and not Kafka's own, so that it has the code that a
# policy's has: clients show its text, and do not try again by themselves.
_doubted("deny", shared, refusals, asked, document) := _told(shared, refusals | {stale}, asked, document) if {
	stale := errors.new("POLICY_VIOLATION", shared.doubt.line)
}

_doubted("warn", shared, refusals, asked, document) := _with_warning(shared.doubt.line, decision) if {
	decision := _told(shared, refusals, asked, document)
}

# As if nothing were known of the cluster but its name.
_doubted("request", shared, _, _, document) := _with_warning(shared.doubt.line, decision) if {
	subject := request.operations[document.operation].subject
	bare := object.union(object.remove(document, ["clusterState"]), {"clusterState": {}})
	asked := rules.asked with input as _prepared(subject, shared, bare)
	decision := _told(shared, _refusals(subject, bare), asked, bare)
}

_with_warning(line, decision) := object.union(decision, {"warnings": array.concat([line], decision.warnings)})
