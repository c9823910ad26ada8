package io.k8s.federation

import data.io.k8s.federation.rules
import data.kafka.settings

# METADATA
# description: What the rules have against the placement, by the modes that the settings give them.
_judged(point, prepared) := {
	"errors": {_line(violation) | some violation in found; _mode(violation, modes) == "deny"},
	"warnings": {_line(violation) | some violation in found; _mode(violation, modes) == "warn"},
} if {
	modes := settings.modes("", point)
	found := rules.deny with input as prepared
}

# A rule that the settings do not list denies; a denial that is announced for a later day only warns until then.
_mode(violation, modes) := "warn" if {
	row := modes[violation.rule]
	row.mode == "deny"
	time.now_ns() < time.parse_ns("2006-01-02", row.enforceFrom)
} else := object.get(modes, [violation.rule, "mode"], "deny")

_line(violation) := $"{violation.rule}: {violation.message}"
