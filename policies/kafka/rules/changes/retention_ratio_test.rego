package kafka.rules.changes_test

import data.kafka.rules.changes as family

_day := 86400000

# Of each share in hundredths the least that needs no approval, counted in whole numbers.
test_exact_ratio[before] if {
	some before in [1001, _day, 7 * _day]
	inexact := {percent |
		some percent in numbers.range(1, 99)
		parts := (before * (100 - percent)) + 99
		limit := (parts - (parts % 100)) / 100
		ratio := to_number(sprintf("0.%02d", [percent]))
		_shrink_problems(before, ratio, limit - 1) != {_shrinks("retention.ms", before, limit - 1, limit)}
	}
	inexact == set()
}

test_exact_ratio_of_other_shares[ratio] if {
	some ratio, tc in {
		0.9: {"before": 7 * _day, "limit": 60480000},
		0.95: {"before": _day, "limit": 4320000},
		0.4: {"before": _day, "limit": 51840000},
		0.7: {"before": _day, "limit": 25920000},
		0.125: {"before": 8, "limit": 7},
		0.333333: {"before": 3000000, "limit": 2000001},
		0.57: {"before": 1099511627777, "limit": 472789999945},
	}
	_is_least(tc.before, ratio, tc.limit)
}

_is_least(before, ratio, limit) if {
	_shrink_problems(before, ratio, limit) == set()
	_shrink_problems(before, ratio, limit - 1) == {_shrinks("retention.ms", before, limit - 1, limit)}
}

_shrink_problems(before, ratio, after) := deny if {
	change := {"before": before, "after": after, "directions": ["falls"], "class": "dataLoss"}
	deny := family.deny with data.kafka.changes.config_changes as {"retention.ms": change}
		with input as {
			"operation": "AlterTopic",
			"params": {"KFK-CHG-001": {"maxShrinkRatio": ratio, "approvalLabel": "ok"}},
			"labels": {},
			"effective": {"values": {"cleanup.policy": ["delete"]}},
		}
}
