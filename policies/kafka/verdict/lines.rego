package kafka.verdict

# METADATA
# title: What was found, a line each
# description: |
#   What rules found that do not end in a decision of the contract, such as those about placement: the lines that
#   `deny`, those that `warn`, and those that are `waived`, by the modes and waivers of the settings. `document` has the
#   cluster, the point and the request with the names that waivers match; `now` is in nanoseconds.
lines(found, document, now) := {
	"deny": {_line(violation) | some violation in violations; violation.mode == "deny"; not _waived(violation, now)},
	"warn": {_line(violation) | some violation in violations; violation.mode == "warn"; not _waived(violation, now)},
	"waived": {$"{violation.rule}: {violation.message} (waived until {waiver.expires} by {waiver.id})" |
		some violation in violations
		violation.mode in {"deny", "warn"}
		_waived(violation, now)
		waiver := violation.waiver
	},
} if {
	violations := _judged(found, document, now)
}
