package kafka.verdict

import data.kafka.cluster
import data.kafka.errors

# The decision document: Kafka's refusals and the violations that deny, none hiding another.
_decision(document, refusals, violations, now) := {
	"allowed": true,
	"errors": [],
	"error": null,
	"violations": [],
	"warnings": [],
	"annotations": {},
	"stateAge": cluster.age(document, now),
	"revision": _revision,
} if {
	refusals == set()
	violations == []
} else := {
	"allowed": messages == [],
	"errors": messages,
	"error": _error(errors.sorted(refusals), messages),
	"violations": violations,
	"warnings": sort({_line(violation) | some violation in violations; violation.mode == "warn"; not _waived(violation, now)}),
	"annotations": {},
	"stateAge": cluster.age(document, now),
	"revision": _revision,
} if {
	denials := {_line(violation) | some violation in violations; violation.mode == "deny"; not _waived(violation, now)}
	messages := sort({refusal.message | some refusal in refusals} | denials)
}

# METADATA
# description: The decision about a document that cannot be read, nothing of which may be looked at.
refused(problems) := {
	"allowed": false,
	"errors": messages,
	"error": errors.new("INVALID_REQUEST", concat("; ", messages)),
	"violations": [],
	"warnings": [],
	"annotations": {},
	"stateAge": null,
	"revision": _revision,
} if {
	messages := sort(problems)
}

_error(_, []) := null

_error(refusals, messages) := object.union(refusals[0], {"message": concat("; ", messages)})

_error([], messages) := errors.new("POLICY_VIOLATION", concat("; ", messages)) if messages != []

_line(violation) := concat("", [$"{violation.rule}: {violation.message}", _expired(violation.waiver)])

_expired(null) := ""

_expired(waiver) := $" (waiver {waiver.id} expired on {waiver.expires})" if waiver != null

_revision := revision if {
	revision := data.catalog.bundle.revision
} else := null
