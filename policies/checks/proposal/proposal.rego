package checks.proposal

# METADATA
# description: |
#   What is proposed. `input.counts` has for each class of clusters `unevaluated`, the number of resources without a
#   decision, and `rules`: of each rule how many resources were `evaluated`, how many it finds `broken`, the `outliers`
#   among topics (cluster, topic, owner; of very many only some), and the `bounds` by parameter and share; `input.day`
#   is today.
#
#   `rules` has what holds everywhere, each with the `mode` and the words to it, `classes` the modes that differ there;
#   `waivers` are those of outliers that a change would not pass as they are, `uncounted` the rules that a snapshot has
#   nothing for.
settings := {
	"rules": {id: {"mode": mode, "words": words} |
		some id, mode in _mildest_modes
		words := [$"{class}: {line}" | some class, _ in _counts_by_class(id); some line in _finding_lines(class, id)]
	},
	"classes": {class: rules |
		some class, _ in input.counts
		rules := {id: mode |
			some id, everywhere in _mildest_modes
			mode := _modes_by_class[class][id]
			mode != everywhere
		}
		rules != {}
	},
	"waivers": _waivers,
	"review": _date_after(data.checks.proposal.limits.reviewDays),
	"uncounted": sort([id |
		some id, rule in input.settings.rules
		rule.mode != "disabled"
		_counts_by_class(id) == {}
	]),
}

# METADATA
# description: What each class of clusters can bear of a rule; undefined where nothing was evaluated.
_modes_by_class[class][id] := mode if {
	some class, row in input.counts
	some id, counted in row.rules
	counted.evaluated > 0
	mode := _proposed_mode(counted, row.unevaluated)
}

# What was not evaluated is not known to pass.
_proposed_mode(counted, unevaluated) := "deny" if {
	counted.broken == 0
	unevaluated == 0
} else := "warn" if {
	100 * (counted.evaluated - counted.broken) >= data.checks.proposal.limits.nearly * counted.evaluated
	counted.broken <= data.checks.proposal.limits.waivers
} else := "dryrun"

# The mildest of all classes, since a cluster to come may be of any.
_mildest_modes[id] := mode if {
	some id, _ in input.settings.rules
	modes := {_modes_by_class[class][id] | some class, _ in _counts_by_class(id)}
	mode := [mode | some mode in ["dryrun", "warn", "deny"]; mode in modes][0]
}

_counts_by_class(id) := {class: counted |
	some class, row in input.counts
	counted := row.rules[id]
	counted.evaluated > 0
}

_finding_lines(class, id) := array.concat([broken], bounds) if {
	counted := input.counts[class].rules[id]
	broken := $"{_broken_count_text(counted)} of {counted.evaluated} break it{_outliers_text(counted)}"
	bounds := [$"{name} that {concat(", ", shares)} % pass: {concat(", ", values)}" |
		some name, by_share in counted.bounds
		shares := [$"{share}" | some share in data.checks.proposal.limits.shares]
		values := [by_share[share] | some share in shares]
	]
}

_broken_count_text(counted) := "none" if counted.broken == 0

_broken_count_text(counted) := $"{counted.broken}" if counted.broken > 0

_outliers_text(counted) := "" if counted.outliers == []

_outliers_text(counted) := concat("", [": ", concat(", ", named), more]) if {
	counted.outliers != []
	named := [$"{outlier.cluster}/{outlier.topic}" | some outlier in array.slice(counted.outliers, 0, 3)]
	more := {true: ", …", false: ""}[counted.broken > 3]
}

# What breaks a rule today is found by a later change and only warned of, so that it needs no waiver for the day on
# which the rule denies; but where settings say that what was found is denied, it has to be mended until then.
_waivers := [waiver |
	some class, rules in _modes_by_class
	some id, mode in rules
	mode == "warn"
	some i, outlier in input.counts[class].rules[id].outliers
	_is_denied_where_found(id, outlier.cluster)
	waiver := {
		"id": $"{id}/{class}/{i + 1}",
		"rule": id,
		"cluster": outlier.cluster,
		"topic": outlier.topic,
		"owner": outlier.owner,
		"reason": "broke the rule before it was in force",
		"expires": _date_after(data.checks.proposal.limits.waiverDays),
	}
]

# At some enforcement point, or at none.
_is_denied_where_found(id, cluster) if _found_effect(id, cluster) == "deny"

_is_denied_where_found(id, _) if {
	some point in object.get(input.settings, "enforcementPoints", {})
	point[id].found == "deny"
}

# The last row that says so counts, as for all settings of clusters.
_found_effect(id, cluster) := effects[count(effects) - 1] if {
	rule_effects := [found | found := input.settings.rules[id].found]
	cluster_effects := [found |
		some row in object.get(input.settings, "clusters", [])
		glob.match(object.get(row.match, "name", "*"), null, cluster)
		found := row.rules[id].found
	]
	effects := array.concat(rule_effects, cluster_effects)
}

_date_after(days) := time.format([time.add_date(at, 0, 0, days), "UTC", "2006-01-02"]) if {
	at := time.parse_ns("2006-01-02", input.day)
}
