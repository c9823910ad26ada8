package kafka.base.effects_test

import data.kafka.base.effects
import data.kafka.fixtures_test as fixtures

_violation(rule, message) := {"rule": rule, "severity": "low", "message": message, "fix": "", "path": [], "patch": []}

test_lines[note] if {
	some note, tc in {
		"before a waiver ends": {"now": "2026-11-21T23:59:59Z", "lines": {"deny": {"A: a"}, "warn": {"B: b"}, "waived": {
			"D: d (waived until 2026-11-21 by W-1)",
			"E: e (waived until 2026-11-21 by W-2)",
			"F: f (waived until 2026-11-21 by W-3)",
		}}},
		"after it": {"now": "2026-11-22T00:00:00Z", "lines": {
			"deny": {"A: a", "D: d (waiver W-1 expired on 2026-11-21)"},
			"warn": {"B: b", "E: e (waiver W-2 expired on 2026-11-21)"},
			"waived": set(),
		}},
	}
	modes := {"A": "deny", "B": "warn", "C": "dryrun", "D": "deny", "E": "warn", "F": "dryrun"}
	waivers := {"D": "W-1", "E": "W-2", "F": "W-3"}
	laid := fixtures.compiled({
		"rules": {rule: {"mode": mode, "params": {}} | some rule, mode in modes},
		"clusters": [],
		"enforcementPoints": {},
		"waivers": [{"id": id, "rule": rule, "expires": "2026-11-21"} | some rule, id in waivers],
	})
	found := {_violation(rule, lower(rule)) | some rule, _ in modes}
	document := {"cluster": "", "enforcementPoint": "", "request": {}}
	lines := effects.lines(found, document, time.parse_rfc3339_ns(tc.now)) with data.settings.compiled as laid
	lines == tc.lines
}
