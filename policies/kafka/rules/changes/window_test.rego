package kafka.rules.changes_test

import data.kafka.rules.changes as family

_office := {"days": ["Monday", "Friday", "Saturday"], "from": "08:00", "to": "18:00"}

_requested_at(time_text, over) := {
	"operation": "AlterTopic",
	"now": time.parse_rfc3339_ns(time_text),
	"params": {"KFK-CHG-008": object.union({"windows": [_office], "freezeUntil": "", "timeZone": "UTC"}, over)},
	"change": {"before": {}, "after": {}},
}

_closed(written, when) := {
	"rule": "KFK-CHG-008",
	"severity": "medium",
	"message": sprintf("it is %s and changes are %s", [written, when]),
	"fix": "make the change at another time, or ask for a waiver",
	"path": [],
	"patch": [],
}

_nowhere := object.union(_closed("", ""), {
	"message": "it is not known which time it is in Mars/Base, and changes are made at certain times only",
	"fix": "have those who run the cluster name a time zone in `timeZone` of this rule, as Europe/Berlin",
})

_window_text := "made only Monday, Friday, Saturday 08:00-18:00"

# 21 November 2026 is a Saturday.
test_window[at] if {
	some at, deny in {
		"2026-11-21T07:59:59.999Z": {_closed("Saturday 2026-11-21 07:59", _window_text)},
		"2026-11-21T08:00:00Z": set(),
		"2026-11-21T17:59:59.999Z": set(),
		"2026-11-21T18:00:00Z": {_closed("Saturday 2026-11-21 18:00", _window_text)},
		"2026-11-22T12:00:00Z": {_closed("Sunday 2026-11-22 12:00", _window_text)},
		"2026-11-21T07:00:00-01:00": set(),
	}
	found := family.deny with input as _requested_at(at, {})
	found == deny
}

test_window_of_the_time_zone[at] if {
	some at, deny in {
		"2026-11-21T07:00:00Z": set(),
		"2026-11-21T17:00:00Z": {_closed("Saturday 2026-11-21 18:00", _window_text)},
	}
	found := family.deny with input as _requested_at(at, {"timeZone": "Europe/Berlin"})
	found == deny
}

test_window_to_the_end_of_the_day[at] if {
	some at, n in {"2026-11-21T22:00:00Z": 0, "2026-11-21T23:59:59Z": 0, "2026-11-22T00:00:00Z": 1}
	windows := [_office, {"days": ["Saturday"], "from": "22:00", "to": "24:00"}]
	found := family.deny with input as _requested_at(at, {"windows": windows})
	paths := {0: [], 1: [[]]}
	paths[n] == [violation.path | some violation in found]
}

# Of a window over midnight the day is the one on which it begins.
test_window_over_midnight[at] if {
	some at, deny in {
		"2026-11-20T21:59:59Z": {_closed("Friday 2026-11-20 21:59", "made only Friday, Sunday 22:00-04:00")},
		"2026-11-20T22:00:00Z": set(),
		"2026-11-20T23:59:59Z": set(),
		"2026-11-21T00:00:00Z": set(),
		"2026-11-21T03:59:59Z": set(),
		"2026-11-21T04:00:00Z": {_closed("Saturday 2026-11-21 04:00", "made only Friday, Sunday 22:00-04:00")},
		"2026-11-21T23:00:00Z": {_closed("Saturday 2026-11-21 23:00", "made only Friday, Sunday 22:00-04:00")},
		"2026-11-22T02:00:00Z": {_closed("Sunday 2026-11-22 02:00", "made only Friday, Sunday 22:00-04:00")},
		"2026-11-23T02:00:00Z": set(),
	}
	windows := [{"days": ["Friday", "Sunday"], "from": "22:00", "to": "04:00"}]
	found := family.deny with input as _requested_at(at, {"windows": windows})
	found == deny
}

# Each day has the one before it, at the ends of the week too.
test_window_of_the_day_before[day] if {
	some i, day in ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
	windows := [{"days": [day], "from": "22:00", "to": "04:00"}]
	closed := {at |
		some at in numbers.range(22, 28)
		found := family.deny with input as _requested_at($"2026-11-{at}T01:00:00Z", {"windows": windows})
		found != set()
	}
	closed == {at | some at in numbers.range(22, 28)} - {22 + ((i + 2) % 7)}
}

# What ends when it begins is a whole day.
test_window_of_a_whole_day[at] if {
	some at, n in {
		"2026-11-20T23:59:59Z": 1, "2026-11-21T00:00:00Z": 0, "2026-11-21T23:59:59Z": 0, "2026-11-22T00:00:00Z": 1,
		"2026-11-24T07:59:59Z": 1, "2026-11-24T08:00:00Z": 0, "2026-11-25T07:59:59Z": 0, "2026-11-25T08:00:00Z": 1,
	}
	windows := [
		{"days": ["Saturday"], "from": "00:00", "to": "00:00"},
		{"days": ["Tuesday"], "from": "08:00", "to": "08:00"},
	]
	found := family.deny with input as _requested_at(at, {"windows": windows})
	count(found) == n
}

test_window_freeze[note] if {
	some note, tc in {
		"none": {"over": {"freezeUntil": ""}, "deny": set()},
		"until tomorrow": {
			"over": {"freezeUntil": "2026-11-22"},
			"deny": {_closed("Saturday 2026-11-21 12:00", "frozen until 2026-11-22")},
		},
		"until today": {"over": {"freezeUntil": "2026-11-21"}, "deny": set()},
		"until yesterday": {"over": {"freezeUntil": "2026-11-20"}, "deny": set()},
		"no windows": {"over": {"windows": []}, "deny": set()},
		"frozen, and no window anyway": {
			"over": {"freezeUntil": "2027-01-01", "windows": [{"days": [], "from": "00:00", "to": "24:00"}]},
			"deny": {
				_closed("Saturday 2026-11-21 12:00", "frozen until 2027-01-01"),
				_closed("Saturday 2026-11-21 12:00", "made only  00:00-24:00"),
			},
		},
		"a time zone that does not exist": {"over": {"timeZone": "Mars/Base"}, "deny": {_nowhere}},
		"a freeze in a time zone that does not exist": {
			"over": {"timeZone": "Mars/Base", "windows": [], "freezeUntil": "2020-01-01"},
			"deny": {_nowhere},
		},
	}
	found := family.deny with input as _requested_at("2026-11-21T12:00:00Z", tc.over)
	tc.deny == found
}

# What consumers commit that assign partitions to themselves looks like a reset of an inactive group.
test_window_of_commits[api] if {
	some api, n in {"OffsetCommit": 0, "TxnOffsetCommit": 0, "AlterShareGroupOffsets": 1}
	found := family.deny with input as object.union(
		_requested_at("2026-11-22T12:00:00Z", {}),
		{"operation": "AlterGroupOffsets", "api": {"key": api, "version": 1}},
	)
	count(found) == n
}
