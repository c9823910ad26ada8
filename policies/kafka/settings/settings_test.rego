package kafka.settings_test

import data.kafka.fixtures_test as fixtures
import data.kafka.settings

_compiled := fixtures.compiled({
	"rules": {
		"A": {"mode": "deny", "params": {"min": 1, "max": 9}},
		"B": {"mode": "disabled", "params": {"min": 5}},
	},
	"clusters": [
		{"match": {"name": "dev-*"}, "rules": {"A": {"mode": "warn", "params": {"min": 0}}}},
		{"match": {"name": "dev-eu*"}, "rules": {"A": {"params": {"min": -1}}, "B": {"mode": "deny"}}},
	],
	"points": {"ci": {"A": {"mode": "dryrun"}}},
	"waivers": [{"id": "W-1", "rule": "A"}, {"id": "W-2", "rule": "B"}, {"id": "W-3", "rule": "A"}],
})

test_params_and_modes[note] if {
	some note, tc in {
		"base": {
			"cluster": "prod", "point": "gateway",
			"params": {"A": {"min": 1, "max": 9}},
			"modes": {"A": {"mode": "deny"}, "B": {"mode": "disabled"}},
		},
		"one row": {
			"cluster": "dev-us", "point": "gateway",
			"params": {"A": {"min": 0, "max": 9}},
			"modes": {"A": {"mode": "warn"}, "B": {"mode": "disabled"}},
		},
		"the later row over the earlier": {
			"cluster": "dev-eu", "point": "gateway",
			"params": {"A": {"min": -1, "max": 9}, "B": {"min": 5}},
			"modes": {"A": {"mode": "warn"}, "B": {"mode": "deny"}},
		},
		"a star goes over dots": {
			"cluster": "dev-us.a.b", "point": "gateway",
			"params": {"A": {"min": 0, "max": 9}},
			"modes": {"A": {"mode": "warn"}, "B": {"mode": "disabled"}},
		},
		"a pattern matches the whole name": {
			"cluster": "my-dev-us", "point": "gateway",
			"params": {"A": {"min": 1, "max": 9}},
			"modes": {"A": {"mode": "deny"}, "B": {"mode": "disabled"}},
		},
		"the point over the rows": {
			"cluster": "dev-us", "point": "ci",
			"params": {"A": {"min": 0, "max": 9}},
			"modes": {"A": {"mode": "dryrun"}, "B": {"mode": "disabled"}},
		},
		"a point's name is not a pattern": {
			"cluster": "prod", "point": "c*",
			"params": {"A": {"min": 1, "max": 9}},
			"modes": {"A": {"mode": "deny"}, "B": {"mode": "disabled"}},
		},
	}
	params := settings.params(tc.cluster, tc.point) with data.settings.compiled as _compiled
	modes := settings.modes(tc.cluster, tc.point) with data.settings.compiled as _compiled
	{"params": tc.params, "modes": tc.modes} == {"params": params, "modes": modes}
}

test_waivers_by_rule[rule] if {
	some rule, ids in {"A": ["W-1", "W-3"], "B": ["W-2"], "C": []}
	waivers := settings.waivers(rule) with data.settings.compiled as _compiled
	ids == [waiver.id | some waiver in waivers]
}
