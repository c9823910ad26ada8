package kafka.engine

import data.kafka.base.effects
import data.kafka.base.errors
import data.kafka.engine.ecosystem
import data.kafka.engine.topic_defaults
import data.kafka.operations

# From an evaluation, [violations, proposals], to the decision. Most documents break no rule: what is the same for all
# of them is made once.
_final_decision(shared, refusals, [violations, proposals], document) := _allowing_decision(shared.stateAge) if {
	violations == set()
	refusals == set()
	proposals == set()
	shared.doubt == null
} else := _decision_with_violations(refusals, _reported_violations(violations, document, shared), shared, document) if {
	shared.doubt == null
	proposals == set()
} else := _decision_with_proposals(shared, refusals, [violations, proposals], document) if {
	shared.doubt == null
} else := _doubtful_decision(shared.doubt.then, shared, refusals, [violations, proposals], document)

_decision_with_proposals(shared, refusals, [violations, proposals], document) := result if {
	decision := _decision_with_violations(refusals, _reported_violations(violations, document, shared), shared, document)
	result := _with_annotations(decision, proposals, document, shared.now)
}

_reported_violations(violations, document, shared) := with_causes if {
	with_causes := _with_causes(_nonexempt_violations(violations, document, shared), document, shared)
	operations[document.operation].subject != "broker"
} else := topic_defaults.without_repeats(_with_causes(violations, document, shared))

# Without those of rules that a tool's own topic may break. What is altered or deleted has the state that it will have,
# or has had.
_nonexempt_violations(violations, document, shared) := remaining if {
	ecosystem.chosen_tools != {}
	subject := operations[document.operation].subject
	subject in {"audit", "topic"}
	prepared := _rule_input(subject, shared, object.remove(document, ["unknown"]))
	states := [state | some state in [prepared.requested, prepared.current]; is_object(state)]
	exempt := ecosystem.exempt(document.request.topic, states[0])
	remaining := {violation | some violation in violations; not violation.rule in exempt}
} else := violations

# The decision: Kafka's refusals and the violations that deny, none hiding another. What a rule says in Kafka's own
# words is there once, as Kafka's refusal.
_decision_with_violations(refusals, violations, shared, document) := {
	"allowed": messages == [],
	"errors": messages,
	"error": _with_advice(_kafka_error(errors.sorted(refusals), messages), violations, document),
	"violations": violations,
	"warnings": [effects.line(violation) |
		some violation in violations
		violation.effect == "warn"
		not violation.message in refused
	],
	"annotations": {},
	"stateAge": shared.stateAge,
	"revision": revision,
} if {
	refused := {refusal.message | some refusal in refusals}
	denials := {effects.line(violation) |
		some violation in violations
		violation.effect == "deny"
		not violation.message in refused
	}
	messages := sort(refused | denials)
}

_allowing_decision(state_age) := {
	"allowed": true,
	"errors": [],
	"error": null,
	"violations": [],
	"warnings": [],
	"annotations": {},
	"stateAge": state_age,
	"revision": revision,
}

# METADATA
# description: |
#   The decision about a document that cannot be read, nothing of which may be looked at. It denies, as whoever carries
#   it out must, and `invalidInput` tells those who write documents that no rule was evaluated.
invalid_input(problems) := object.union(_allowing_decision(null), {
	"allowed": false,
	"errors": sort(problems),
	"error": errors.new("INVALID_REQUEST", concat("; ", sort(problems))),
	"invalidInput": true,
})

_kafka_error(_, []) := null

_kafka_error(refusals, messages) := object.union(refusals[0], {"message": concat("; ", messages)})

_kafka_error([], messages) := errors.new("POLICY_VIOLATION", concat("; ", messages)) if messages != []

# METADATA
# description: The revision of the bundle that decides, null where there is none.
# scope: document
default revision := null

revision := data.catalog.bundle.revision
