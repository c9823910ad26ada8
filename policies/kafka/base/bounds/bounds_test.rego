package kafka.base.bounds_test

import data.kafka.base.bounds

test_broken[note] if {
	some note, tc in {
		"on the minimum": {"value": 1, "params": {"min": 1, "max": 3}, "broken": set()},
		"one below": {"value": 0, "params": {"min": 1, "max": 3}, "broken": {{"direction": "below the minimum", "limit": 1}}},
		"on the maximum": {"value": 3, "params": {"min": 1, "max": 3}, "broken": set()},
		"one above": {"value": 4, "params": {"min": 1, "max": 3}, "broken": {{"direction": "above the maximum", "limit": 3}}},
		"no minimum": {"value": -9, "params": {"max": 3}, "broken": set()},
		"no minimum, above": {"value": 4, "params": {"max": 3}, "broken": {{"direction": "above the maximum", "limit": 3}}},
		"no maximum": {"value": 99, "params": {"min": 1}, "broken": set()},
		"no bounds": {"value": 0, "params": {}, "broken": set()},
		"equal bounds": {"value": 2, "params": {"min": 2, "max": 2}, "broken": set()},
		"beyond 53 bits": {
			"value": 9223372036854775807,
			"params": {"max": 9223372036854775806},
			"broken": {{"direction": "above the maximum", "limit": 9223372036854775806}},
		},
	}
	tc.broken == {broken | broken := bounds.broken(tc.value, tc.params)}
}

test_broken_by_limit[note] if {
	some note, tc in {
		"none": {"value": -1, "params": {"min": 1, "max": 3}, "broken": {{"direction": "above the maximum", "limit": 3}}},
		"none, without a maximum": {"value": -1, "params": {"min": 1}, "broken": set()},
		"one below": {"value": 0, "params": {"min": 1, "max": 3}, "broken": {{"direction": "below the minimum", "limit": 1}}},
		"within": {"value": 2, "params": {"min": 1, "max": 3}, "broken": set()},
		"one above": {"value": 4, "params": {"min": 1, "max": 3}, "broken": {{"direction": "above the maximum", "limit": 3}}},
	}
	tc.broken == {broken | broken := bounds.broken_by_limit(tc.value, tc.params)}
}

test_direction if {
	bounds.direction(1, 2) == "below the minimum"
	bounds.direction(3, 2) == "above the maximum"
	not bounds.direction(2, 2)
}

test_percent if {
	bounds.percent(1, 4) == 25
	bounds.percent(3, 2) == 150
	not bounds.percent(1, 0)
}

test_share[note] if {
	some note, tc in {
		"a little less in binary": {"whole": 86400000, "ratio": 0.53, "share": 45792000},
		"a little more in binary": {"whole": 30, "ratio": 2.1, "share": 63},
		"rounded down": {"whole": 3, "ratio": 2.5, "share": 7},
		"nothing": {"whole": 0, "ratio": 0.9, "share": 0},
		"all": {"whole": 604800000, "ratio": 1, "share": 604800000},
	}
	bounds.share(tc.whole, tc.ratio) == tc.share
}
