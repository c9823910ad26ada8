package kafka_test

import data.kafka

_dated := {
	"base": {"modes": {"KFK-A": {"mode": "deny"}, "KFK-B": {"mode": "deny", "enforceFrom": "2027-01-01"}}},
	"enforcementPoints": {"scan": {"modes": {"KFK-A": {"mode": "deny", "enforceFrom": "2026-12-24"}}}},
	"clusters": [{"match": {"name": "a*"}, "layer": {"modes": {"KFK-A": {"enforceFrom": "2027-01-01"}}}}],
	"waivers": {"KFK-A": [{"expires": "2026-12-31"}, {"expires": "2028-02-28"}]},
}

test_change_dates[note] if {
	some note, tc in {
		"of all layers and of waivers, each once": {
			"compiled": _dated,
			"dates": ["2026-12-24", "2027-01-01", "2028-02-29"],
		},
		"none": {"compiled": _compiled, "dates": []},
	}
	tc.dates == kafka.change_dates with data.settings.compiled as tc.compiled
}
