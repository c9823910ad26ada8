package kafka.rules.changes_test

import data.kafka.configs
import data.kafka.rules.changes as family

_protected_params := {"KFK-CHG-004": {"protectedKeys": ["retention.ms", "x.vendor"]}}

_removed(name, before, how, after) := {
	"rule": "KFK-CHG-004",
	"severity": "high",
	"message": sprintf("the override %s=%s is removed %s, and %s falls back to %s", [name, before, how, name, after]),
	"fix": sprintf("name %s=%s in the change, or change it incrementally", [name, before]),
	"path": ["configs", name],
	"patch": [],
}

# The three forms of a change that all end in the same state.
test_protected[note] if {
	some note, tc in {
		"deleted": {
			"change": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "DELETE"}]},
			"deny": {_removed("retention.ms", "1000", "by name", "500")},
		},
		"set to null": {
			"change": {"mode": "full", "entries": {"retention.ms": null, "x.vendor": "a"}},
			"deny": {_removed("retention.ms", "1000", "by name", "500")},
		},
		"not named in a full replacement": {
			"change": {"mode": "full", "entries": {"x.vendor": "a"}},
			"deny": {_removed("retention.ms", "1000", "by not being named", "500")},
		},
		"gone from the states": {
			"change": {"mode": "resolved", "before": {"retention.ms": "1000", "x.vendor": "a"}, "after": {"x.vendor": "a"}},
			"deny": {_removed("retention.ms", "1000", "by name", "500")},
		},
		"all of them": {
			"change": {"mode": "full", "entries": {}},
			"deny": {
				_removed("retention.ms", "1000", "by not being named", "500"),
				_removed("x.vendor", "a", "by not being named", "the brokers' default"),
			},
		},
		"set to another value": {
			"change": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "SET", "value": "500"}]},
			"deny": set(),
		},
		"another one deleted": {
			"change": {"mode": "incremental", "ops": [{"name": "segment.ms", "op": "DELETE"}]},
			"deny": set(),
		},
	}
	before := {"retention.ms": "1000", "segment.ms": "1", "x.vendor": "a"}
	change := configs.resolved("topic", before, tc.change)
	deny := family.deny with input as _altered(_protected_params, before, change.after, {"change": change})
	tc.deny == deny
}

test_protected_without_an_override if {
	deny := family.deny with input as _altered(_protected_params, {}, {}, {})
	deny == set()
}
