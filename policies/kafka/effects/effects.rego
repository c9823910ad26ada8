# METADATA
# title: Effects
# description: What the settings make of violations, whatever they are about; nothing here is Kafka's.
package kafka.effects

import data.kafka.settings

# METADATA
# description: |
#   The violations of the rules that are enabled for this cluster and enforcement point, each with its effect and the
#   waiver that names it, if any. The effect is the rule's mode (`deny`, `warn`, `dryrun`), or `waived` where a waiver
#   holds.
with_effects(violations, document, now) := [violation |
	some [_, _, raw] in sort([[raw.rule, raw.path, raw] | some raw in violations])
	mode := _at_most(raw, mode_at(object.get(modes, raw.rule, unlisted), now))
	mode != "disabled"
	waiver := _waiver(settings.waivers(raw.rule), document, now)
	violation := object.union(raw, {"effect": _effect(mode, waiver), "waiver": waiver})
] if {
	modes := settings.modes(document.cluster, object.get(document, "enforcementPoint", ""))
}

_effect(mode, waiver) := "waived" if {
	waiver.expired == false
} else := mode

# A violation that says of itself that it only warns never denies, whatever the settings say of its rule.
_at_most(raw, mode) := "warn" if {
	mode == "deny"
	raw.effect == "warn"
} else := mode

# METADATA
# description: A rule that the settings do not list, as a site's own, denies.
unlisted := {"mode": "deny"}

# METADATA
# description: The mode of a row of the settings; a denial that is announced for a later date only warns until then.
mode_at(rule, now) := "warn" if {
	rule.mode == "deny"
	now < _midnight(rule.enforceFrom)
} else := rule.mode

# Of several waivers for one violation the one that lasts longest counts.
_waiver([], _, _) := null

_waiver(waivers, document, now) := object.union(
	object.remove(waiver, ["rule", "cluster", "topic", "object"]),
	{"expired": _expired(waiver, now)},
) if {
	[_, _, waiver] := max({[waiver.expires, waiver.id, waiver] |
		some waiver in waivers
		glob.match(object.get(waiver, "cluster", "*"), null, document.cluster)
		glob.match(object.get(waiver, "topic", "*"), null, object.get(document.request, "topic", ""))
		glob.match(object.get(waiver, "object", "*"), null, object.get(document.request, "object", ""))
	})
} else := null

# A waiver holds to the end of its last day, UTC.
_expired(waiver, now) := false if {
	now < time.add_date(_midnight(waiver.expires), 0, 0, 1)
} else := true

_midnight(date) := time.parse_ns("2006-01-02", date)
