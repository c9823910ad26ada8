package kafka.engine

# METADATA
# title: Violations, a line each
# description: |
#   Of rules that do not end in a decision of the contract, such as those about placement: the lines that `deny`, those
#   that `warn`, and those that are `waived`, by the modes and waivers of the settings. `document` has the cluster, the
#   enforcement point and the request with the names that waivers match; `now` is in nanoseconds.
lines(violations, document, now) := {
	"deny": {_line(violation) | some violation in effective; violation.effect == "deny"},
	"warn": {_line(violation) | some violation in effective; violation.effect == "warn"},
	"waived": {$"{violation.rule}: {violation.message} (waived until {waiver.expires} by {waiver.id})" |
		some violation in effective
		violation.effect == "waived"
		waiver := violation.waiver
	},
} if {
	effective := _effective(violations, document, now)
}
