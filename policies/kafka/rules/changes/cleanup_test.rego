package kafka.rules.changes_test

import data.kafka.rules.changes as family

_cleanup_params := {"KFK-CHG-002": {"transitions": [
	{"from": "compact, delete", "to": "delete"},
	{"from": "delete", "to": ""},
]}}

_cleanup(from, to) := {
	"rule": "KFK-CHG-002",
	"severity": "critical",
	"message": sprintf("cleanup.policy may not go from \"%s\" to \"%s\"", [from, to]),
	"fix": sprintf(
		"keep cleanup.policy \"%s\", and create another topic for data that is cleaned up as \"%s\"",
		[from, to],
	),
	"path": ["configs", "cleanup.policy"],
	"patch": [],
}

test_cleanup[note] if {
	some note, tc in {
		"allowed": {"before": {"cleanup.policy": "compact,delete"}, "after": {"cleanup.policy": "delete"}, "deny": set()},
		"allowed, in another order": {
			"before": {"cleanup.policy": "delete, compact"},
			"after": {"cleanup.policy": "delete"},
			"deny": set(),
		},
		"allowed, to the default": {"before": {"cleanup.policy": "compact,delete"}, "after": {}, "deny": set()},
		"allowed, to none": {"before": {}, "after": {"cleanup.policy": ""}, "deny": set()},
		"only one way": {
			"before": {"cleanup.policy": ""},
			"after": {},
			"deny": {_cleanup("", "delete")},
		},
		"from the default": {
			"before": {},
			"after": {"cleanup.policy": "compact"},
			"deny": {_cleanup("delete", "compact")},
		},
		"from one allowed state to another's": {
			"before": {"cleanup.policy": "compact,delete"},
			"after": {"cleanup.policy": ""},
			"deny": {_cleanup("compact,delete", "")},
		},
		"one more": {
			"before": {"cleanup.policy": "compact"},
			"after": {"cleanup.policy": "compact,delete"},
			"deny": {_cleanup("compact", "compact,delete")},
		},
		"another order": {
			"before": {"cleanup.policy": "compact,delete"},
			"after": {"cleanup.policy": "delete, compact"},
			"deny": set(),
		},
		"a repetition": {"before": {}, "after": {"cleanup.policy": "delete,delete"}, "deny": set()},
		"not touched": {
			"before": {"cleanup.policy": "compact"},
			"after": {"cleanup.policy": "compact", "a": "b"},
			"deny": set(),
		},
	}
	deny := family.deny with input as _altered(_cleanup_params, tc.before, tc.after, {})
	tc.deny == deny
}
