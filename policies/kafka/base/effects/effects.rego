# METADATA
# title: Effects
# description: What modes and waivers make of violations, whatever they are about; nothing here is Kafka's.
package kafka.base.effects

import data.kafka.base.settings

# METADATA
# description: |
#   The violations of the rules that are enabled for this cluster and enforcement point, each with its effect and the
#   waiver that names it, if any. The effect is the rule's mode (`deny`, `warn`, `dryrun`), or `waived` where a waiver
#   holds. All are `caused`: what was there before is not looked at here.
with_effects(violations, document, now) := [violation |
	some [_, _, raw] in sort([[raw.rule, raw.path, raw] | some raw in violations])
	mode := _capped_mode(raw, mode_at(object.get(modes, raw.rule, unlisted), now))
	mode != "disabled"
	waiver := _longest_matching_waiver(settings.waivers(raw.rule), document, now)
	violation := object.union(object.remove(raw, ["order"]), {
		"effect": _effect(mode, waiver),
		"waiver": waiver,
		"cause": "caused",
	})
] if {
	modes := settings.modes(document.cluster, object.get(document, "enforcementPoint", ""))
}

_effect(mode, waiver) := "waived" if {
	waiver.expired == false
} else := mode

# A violation that says of itself that it only warns never denies, whatever the settings say of its rule.
_capped_mode(violation, mode) := "warn" if {
	mode == "deny"
	violation.effect == "warn"
} else := mode

# METADATA
# description: |
#   A violation that was `found`: there before the change, and not worse after it. `before` is what it said then. It has
#   the effect that the settings have for that (`found`, `warn` where they say nothing), and none more severe than its
#   rule's mode.
found(violation, before, document) := object.union(violation, {
	"cause": "found",
	"effect": _milder_effect(violation.effect, object.get(rule, "found", "warn")),
	"before": before,
}) if {
	modes := settings.modes(document.cluster, object.get(document, "enforcementPoint", ""))
	rule := object.get(modes, violation.rule, unlisted)
}

_milder_effect("deny", other) := other

_milder_effect("warn", other) := "warn" if other != "dryrun"

_milder_effect("warn", "dryrun") := "dryrun"

_milder_effect(effect, _) := effect if not effect in {"deny", "warn"}

# METADATA
# description: A rule that the settings do not list, as a site's own, denies.
unlisted := {"mode": "deny"}

# METADATA
# description: The mode of a row of the settings; a denial that is announced for a later date only warns until then.
mode_at(rule, now) := "warn" if {
	rule.mode == "deny"
	now < _midnight_ns(rule.enforceFrom)
} else := rule.mode

_midnight_ns(date) := time.parse_ns("2006-01-02", date)
