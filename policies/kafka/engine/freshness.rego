package kafka.engine

import data.kafka.base.errors
import data.kafka.base.settings
import data.kafka.model.topics
import data.kafka.operations
import data.kafka.rules

# METADATA
# description: |
#   What speaks against going by the cluster's state: {"then", "line"} where it is older than the settings allow for the
#   operation, or further ahead of OPA's clock; null where it is neither. `observed` is null where there is no state
#   that could be old, and false where what is replicated does not say when it was observed: that is older than anything
#   allows.
_staleness_doubt(age, observed, cluster, enforcement_point, operation) := null if {
	observed == null
} else := null if {
	_is_fresh_enough(age, settings.freshness(cluster, enforcement_point, operation))
} else := {"then": limit.then, "line": line} if {
	limit := settings.freshness(cluster, enforcement_point, operation)
	line := $"freshness: the state of cluster '{cluster}' {_staleness_text(age, limit, operation)}"
}

_is_fresh_enough(_, limit) if limit.then == "ignore"

_is_fresh_enough(age, limit) if {
	is_number(age)
	age <= limit.maxAgeSeconds
	age >= 0 - limit.maxAheadSeconds
}

_staleness_text(age, limit, operation) := line if {
	is_number(age)
	age < 0
	line := concat("", [
		$"was observed {ceil(0 - age)} seconds ahead of OPA's clock, and {operation} takes it at most",
		$" {limit.maxAheadSeconds} seconds ahead: {_clock_advice_by_action[limit.then]}",
	])
} else := concat("", [
	$"{_age_text(age)}, and {operation} wants it no older than",
	$" {limit.maxAgeSeconds} seconds: {_staleness_advice_by_action[limit.then]}",
])

_age_text(null) := "does not say when it was observed"

_age_text(age) := $"is {floor(age)} seconds old" if age != null

_staleness_advice_by_action := {
	"deny": "see that it is replicated, then ask again",
	"warn": "see that it is replicated",
	"request": "this was decided on the request alone",
}

_clock_advice_by_action := {
	"deny": "correct the clocks, then ask again",
	"warn": "correct the clocks",
	"request": "this was decided on the request alone",
}

# The decision where the state is older than allowed, or lacks what its source may not see. A denial for that is the
# site's and not Kafka's own, so that it has the code of a policy violation: clients show its text, and do not try again
# by themselves. Who asks for metadata of a topic shall try again.
_doubtful_decision("deny", shared, refusals, evaluation, document) := decision if {
	doubt := errors.new(_doubt_error_name(object.get(document, ["api", "key"], "")), shared.doubt.line)
	decision := _decision_with_proposals(shared, refusals | {doubt}, _evaluation_if_known(evaluation, document), document)
}

_doubtful_decision("warn", shared, refusals, evaluation, document) := _with_warning(shared.doubt.line, decision) if {
	decision := _decision_with_proposals(shared, refusals, evaluation, document)
}

# As if nothing were known of the cluster but its name. What is not known of the request is not known then either.
_doubtful_decision("request", shared, _, _, document) := _with_warning(shared.doubt.line, decision) if {
	subject := operations[document.operation].subject
	bare := object.union(object.remove(document, ["clusterState"]), {"clusterState": {}})
	evaluation := rules.evaluation with input as _rule_input(subject, shared, object.remove(bare, ["unknown"]))
	known := _known_evaluation(evaluation, document)
	decision := _decision_with_proposals(shared, _subject_refusals(subject, bare), known, bare)
}

_doubt_error_name("Metadata") := "UNKNOWN_TOPIC_OR_PARTITION"

_doubt_error_name(api) := "POLICY_VIOLATION" if api != "Metadata"

_with_warning(line, decision) := object.union(decision, {"warnings": array.concat([line], decision.warnings)})

# What rules say of a topic whose configs nobody knows is not known either.
_evaluation_if_known(evaluation, document) := evaluation if {
	not topics.has_unknown_configs(document)
} else := [set(), set()]
