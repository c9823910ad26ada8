package kafka.verdict

# A rule's violation with the mode that its settings give it, and the waiver that names it, if any.
_judged(violation, rule, document, now) := object.union(violation, {
	"mode": _mode(rule, now),
	"waiver": _waiver(violation.rule, document),
})

# A denial that is announced for a later date only warns until then.
_mode(rule, now) := "warn" if {
	rule.mode == "deny"
	now < _midnight(rule.enforceFrom)
} else := rule.mode

# Of several waivers for one violation the one that lasts longest counts.
_waiver(rule, document) := object.remove(waiver, ["rule", "cluster", "topic"]) if {
	expires := max({waiver.expires | some waiver in _waivers(rule, document)})
	some waiver in _waivers(rule, document)
	waiver.expires == expires
} else := null

_waivers(rule, document) := [waiver |
	some waiver in data.settings.waivers
	waiver.rule == rule
	glob.match(object.get(waiver, "cluster", "*"), [], document.cluster)
	glob.match(object.get(waiver, "topic", "*"), [], object.get(document.request, "topic", ""))
]

# A waiver holds to the end of its last day, UTC.
_waived(violation, now) if now < _midnight(violation.waiver.expires) + ((24 * 3600) * 1000000000)

_midnight(date) := time.parse_ns("2006-01-02", date)
