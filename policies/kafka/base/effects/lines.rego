package kafka.base.effects

# METADATA
# title: Violations, a line each
# description: |
#   Of rules that do not end in a decision of the contract, such as those about placement: the lines that `deny`, those
#   that `warn`, and those that are `waived`, by the modes and waivers of the settings. `document` has the cluster, the
#   enforcement point and the request with the names that waivers match; `now` is in nanoseconds.
lines(violations, document, now) := {
	"deny": {line(violation) | some violation in effective; violation.effect == "deny"},
	"warn": {line(violation) | some violation in effective; violation.effect == "warn"},
	"waived": {$"{violation.rule}: {violation.message} (waived until {waiver.expires} by {waiver.id})" |
		some violation in effective
		violation.effect == "waived"
		waiver := violation.waiver
	},
} if {
	effective := with_effects(violations, document, now)
}

# METADATA
# description: A line of `errors` or `warnings`; joined, since a template string costs several times as much.
line(violation) := concat("", [violation.rule, ": ", violation.message, _expiry_note(violation.waiver)]) if {
	violation.cause == "caused"
} else := concat("", [violation.rule, ": ", violation.message, _before_note(violation), _expiry_note(violation.waiver)])

# Of one that was found: that it was so before, or that the change makes it better.
_before_note(violation) := " (so before the change)" if violation.before == violation.message

_before_note(violation) := $" (better than before the change: {violation.before})" if {
	violation.before != violation.message
}

_expiry_note(null) := ""

_expiry_note(waiver) := $" (waiver {waiver.id} expired on {waiver.expires})" if waiver.expired
