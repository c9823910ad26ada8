package kafka.verdict

import data.kafka.settings

# METADATA
# description: |
#   The violations with the mode that the settings give them and the waiver that names them, if any; a rule that the
#   settings disable for this cluster or point has none.
_judged(found, document, now) := [violation |
	some [_, _, raw] in sort([[raw.rule, raw.path, raw] | some raw in found])
	mode := _at_most(raw, _mode(object.get(modes, raw.rule, _unlisted), now))
	mode != "disabled"
	violation := object.union(raw, {"mode": mode, "waiver": _waiver(settings.waivers(raw.rule), document)})
] if {
	modes := settings.modes(document.cluster, object.get(document, "point", ""))
}

# A violation that says of itself that it only warns never denies, whatever the settings say of its rule.
_at_most(raw, mode) := "warn" if {
	mode == "deny"
	raw.mode == "warn"
} else := mode

# A rule that the settings do not list, as a site's own, denies.
_unlisted := {"mode": "deny"}

# A denial that is announced for a later date only warns until then.
_mode(rule, now) := "warn" if {
	rule.mode == "deny"
	now < _midnight(rule.enforceFrom)
} else := rule.mode

# Of several waivers for one violation the one that lasts longest counts.
_waiver([], _) := null

_waiver(waivers, document) := object.remove(waiver, ["rule", "cluster", "topic", "object"]) if {
	[_, _, waiver] := max({[waiver.expires, waiver.id, waiver] |
		some waiver in waivers
		glob.match(object.get(waiver, "cluster", "*"), null, document.cluster)
		glob.match(object.get(waiver, "topic", "*"), null, object.get(document.request, "topic", ""))
		glob.match(object.get(waiver, "object", "*"), null, object.get(document.request, "object", ""))
	})
} else := null

# A waiver holds to the end of its last day, UTC.
_waived(violation, now) if now < time.add_date(_midnight(violation.waiver.expires), 0, 0, 1)

_midnight(date) := time.parse_ns("2006-01-02", date)
