package kafka

import data.kafka.base.request

# METADATA
# title: Names of enforcement points that nobody knows
# description: |
#   The input is {"enforcementPoints": [name]}. The answer has a sentence about each of them that no settings name and
#   that is none of Warden's own, by its name.
# entrypoint: true
unknown_enforcement_points[name] := concat("", [
	$"enforcement point {name}: no settings name it, and it is none of {concat(", ", sort(_own_enforcement_points))}",
	request.hint(name, _own_enforcement_points | _configured_enforcement_points),
]) if {
	some name in input.enforcementPoints
	is_string(name)
	not name in (_own_enforcement_points | _configured_enforcement_points)
}

_own_enforcement_points := {"broker", "ci", "gateway", "scan", "service", "start", "webhook"}

_configured_enforcement_points := object.keys(object.get(data.settings.compiled, "enforcementPoints", {}))
