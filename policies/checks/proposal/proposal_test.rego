package checks.proposal_test

import data.checks.proposal

_topic(cluster, name) := {"cluster": cluster, "topic": name, "owner": "shop"}

_count(evaluated, broken, outliers) := {
	"evaluated": evaluated,
	"broken": broken,
	"outliers": outliers,
	"bounds": {},
}

_proposed(counts) := result if {
	settings := {"rules": {"A": {"mode": "deny"}, "B": {"mode": "disabled"}, "C": {"mode": "warn"}}}
	result := proposal.settings with input as {"counts": counts, "settings": settings, "day": "2026-11-21"}
}

_class(unevaluated, counted) := {"unevaluated": unevaluated, "rules": {"A": counted}}

test_modes[note] if {
	some note, [unevaluated, evaluated, broken, mode] in {
		"kept": [0, 100, 0, "deny"],
		"kept, but one is not known": [1, 100, 0, "warn"],
		"just nearly kept": [0, 100, 1, "warn"],
		"just not": [0, 99, 1, "dryrun"],
		"nearly, by as many as may be waived": [0, 5000, 50, "warn"],
		"nearly, by more": [0, 6000, 51, "dryrun"],
		"broken by all": [0, 1, 1, "dryrun"],
	}
	mode == _proposed({"prod-*": _class(unevaluated, _count(evaluated, broken, []))}).rules.A.mode
}

test_whole if {
	_proposed({
		"dev-*": _class(0, object.union(_count(200, 4, [_topic("dev-eu", $"t{n}") | some n in [1, 2, 3, 4]]), {"bounds": {
			"max": {"95": "3", "99": "9", "100": "none"},
		}})),
		"prod-*": _class(0, _count(100, 1, [_topic("prod-eu", "a")])),
		"new": _class(0, _count(0, 0, [])),
		"test": _class(0, _count(1, 0, [])),
	}) == {
		"rules": {"A": {"mode": "dryrun", "words": [
			"dev-*: 4 of 200 break it: dev-eu/t1, dev-eu/t2, dev-eu/t3, …",
			"dev-*: max that 95, 99, 100 % pass: 3, 9, none",
			"prod-*: 1 of 100 break it: prod-eu/a",
			"test: none of 1 break it",
		]}},
		"classes": {"prod-*": {"A": "warn"}, "test": {"A": "deny"}},
		"waivers": [],
		"review": "2027-02-19",
		"uncounted": ["C"],
	}
}

# What is only warned of where it was so before needs no waiver.
test_waivers[note] if {
	waiver := {
		"id": "A/prod-*/1",
		"rule": "A",
		"cluster": "prod-eu",
		"topic": "a",
		"owner": "shop",
		"reason": "broke the rule before it was in force",
		"expires": "2027-02-19",
	}
	some note, tc in {
		"as shipped": {"settings": {}, "waivers": []},
		"what was found is denied": {"settings": {"rules": {"A": {"found": "deny"}}}, "waivers": [waiver]},
		"of another rule": {"settings": {"rules": {"C": {"found": "deny"}}}, "waivers": []},
		"in dry run": {"settings": {"rules": {"A": {"found": "dryrun"}}}, "waivers": []},
		"at an enforcement point": {
			"settings": {"enforcementPoints": {"ci": {"A": {"found": "deny"}}, "gateway": {}}},
			"waivers": [waiver],
		},
		"on its clusters": {
			"settings": {"clusters": [{"match": {"name": "prod-*"}, "rules": {"A": {"found": "deny"}}}]},
			"waivers": [waiver],
		},
		"on others": {
			"settings": {"clusters": [{"match": {"name": "dev-*"}, "rules": {"A": {"found": "deny"}}}]},
			"waivers": [],
		},
		"everywhere but on its clusters": {
			"settings": {
				"rules": {"A": {"found": "deny"}},
				"clusters": [{"match": {"name": "*-eu"}, "rules": {"A": {"found": "warn"}}}],
			},
			"waivers": [],
		},
	}
	settings := object.union({"rules": {"A": {"mode": "deny"}}}, tc.settings)
	counts := {"prod-*": _class(0, _count(100, 1, [_topic("prod-eu", "a")]))}
	result := proposal.settings with input as {"counts": counts, "settings": settings, "day": "2026-11-21"}
	tc.waivers == result.waivers
}
