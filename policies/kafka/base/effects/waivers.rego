package kafka.base.effects

import data.kafka.base.settings

# METADATA
# description: Those of many topics of a cluster for which no waiver of the rule holds.
# scope: document
unwaived(rule, topics, _, _) := topics if settings.waivers(rule) == []

unwaived(rule, topics, cluster, now) := {topic |
	some topic in topics
	document := {"cluster": cluster, "request": {"topic": topic}}
	_effect("deny", _longest_matching_waiver(settings.waivers(rule), document, now)) == "deny"
} if {
	settings.waivers(rule) != []
}

# Of several waivers for one violation the one that lasts longest counts.
_longest_matching_waiver(waivers, document, now) := null if {
	waivers == [] # nearly always
} else := object.union(
	object.remove(waiver, ["rule", "cluster", "topic", "object"]),
	{"expired": _is_expired(waiver, now)},
) if {
	[_, _, waiver] := max({[waiver.expires, waiver.id, waiver] |
		some waiver in waivers
		glob.match(object.get(waiver, "cluster", "*"), null, document.cluster)
		glob.match(object.get(waiver, "topic", "*"), null, object.get(document.request, "topic", ""))
		glob.match(object.get(waiver, "object", "*"), null, object.get(document.request, "object", ""))
	})
} else := null

# A waiver holds to the end of its last day, UTC.
_is_expired(waiver, now) := false if {
	now < time.add_date(_midnight_ns(waiver.expires), 0, 0, 1)
} else := true
