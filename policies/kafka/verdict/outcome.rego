package kafka.verdict

import data.kafka.errors

# Most documents break no rule: what is the same for all of them is made once.
_outcome(shared, refusals, [found, proposals], document) := _clean(shared.stateAge) if {
	found == set()
	refusals == set()
	proposals == set()
	shared.doubt == null
} else := _decision(refusals, _judged(found, document, shared.now), shared) if {
	shared.doubt == null
	proposals == set()
} else := _told(shared, refusals, [found, proposals], document) if {
	shared.doubt == null
} else := _doubted(shared.doubt.then, shared, refusals, [found, proposals], document)

# With what is proposed besides.
_told(shared, refusals, [found, proposals], document) := _annotated(decision, proposals, document, shared.now) if {
	decision := _decision(refusals, _judged(found, document, shared.now), shared)
}

# The decision: Kafka's refusals and the violations that deny, none hiding another. What a rule says in Kafka's own
# words is told once, as Kafka's refusal.
_decision(refusals, violations, shared) := {
	"allowed": messages == [],
	"errors": messages,
	"error": _error(errors.sorted(refusals), messages),
	"violations": violations,
	"warnings": [_line(violation) |
		some violation in violations
		violation.mode == "warn"
		not violation.message in refused_already
		not _waived(violation, now)
	],
	"annotations": {},
	"stateAge": shared.stateAge,
	"revision": revision,
} if {
	now := shared.now
	refused_already := {refusal.message | some refusal in refusals}
	denials := {_line(violation) |
		some violation in violations
		violation.mode == "deny"
		not violation.message in refused_already
		not _waived(violation, now)
	}
	messages := sort(refused_already | denials)
}

_clean(state_age) := {
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
# description: The decision about a document that cannot be read, nothing of which may be looked at.
refused(problems) := object.union(_clean(null), {
	"allowed": false,
	"errors": sort(problems),
	"error": errors.new("INVALID_REQUEST", concat("; ", sort(problems))),
})

_error(_, []) := null

_error(refusals, messages) := object.union(refusals[0], {"message": concat("; ", messages)})

_error([], messages) := errors.new("POLICY_VIOLATION", concat("; ", messages)) if messages != []

# Joined, since a template string costs several times as much.
_line(violation) := concat("", [violation.rule, ": ", violation.message, _expired(violation.waiver)])

_expired(null) := ""

_expired(waiver) := $" (waiver {waiver.id} expired on {waiver.expires})" if waiver != null

# METADATA
# description: The revision of the bundle that decides, null where there is none.
# scope: document
default revision := null

revision := data.catalog.bundle.revision
