package kafka.rules.naming_test

import data.kafka.rules.naming as family

_suspicious := {
	".", "..", "a b", "abcdefghij", "abcdefghijk", "_orders", "_sys.x", "__orders", "__canary.eu",
	"A", "a.b", "a_b", "a-b", "t.x.s", "t.xyz.s", "t.xyz", "orders", "a.c",
}

_rules_about_names := {
	"KFK-NAM-001": {"pattern": `^[a-z]+(\.[a-z]+)*$`, "exemptPrefixes": ["__"]},
	"KFK-NAM-002": {"prefixes": ["t."], "suffixes": [".s"], "minCoreLength": 3},
	"KFK-NAM-003": {"maxLength": 10},
	"KFK-NAM-004": {},
	"KFK-NAM-005": {"reservedPrefixes": ["__", "_sys"], "exempt": ["__canary*"]},
}

_candidates_input(params, is_internal) := {
	"operation": "AuditTopic",
	"part": "name",
	"params": params,
	"topics": _suspicious,
	"requested": {"internal": is_internal},
	"clusterState": {"namesByMetric": {"a_b": ["a.b", "a_b"], "a_c": ["a.c"]}},
}

_expected_candidates := {
	"KFK-NAM-001": _suspicious - {
		"__orders", "__canary.eu", "a.b", "t.x.s", "t.xyz.s", "t.xyz", "orders", "a.c", _long, _ten,
	},
	"KFK-NAM-002": _suspicious - {"t.xyz.s"},
	"KFK-NAM-003": {".", "..", "a b", _long, "__canary.eu"},
	"KFK-NAM-004": {"a.b", "a_b"},
	"KFK-NAM-005": {"__orders", "_sys.x"},
}

_ten := "abcdefghij"

_long := "abcdefghijk"

_internal_candidates(id, candidates) := candidates if not id in {"KFK-NAM-002", "KFK-NAM-005"}

_internal_candidates(id, _) := set() if id in {"KFK-NAM-002", "KFK-NAM-005"}

# Those of many, and those that `deny` has something against one by one.
test_candidates_are_those_that_are_denied[id] if {
	some id, params in _rules_about_names
	wanted := _expected_candidates[id]
	hidden := _internal_candidates(id, wanted)
	{[false, wanted, wanted], [true, hidden, hidden]} == {[is_internal, among, denied] |
		some is_internal in [false, true]
		document := _candidates_input({id: params}, is_internal)
		among := family.candidates with input as document
		denied := {topic |
			some topic in _suspicious
			found := family.deny with input as object.union(document, {"topic": topic})
			found != set()
		}
	}
}

test_rules_that_are_off_have_no_candidates if {
	among := family.candidates with input as _candidates_input({}, false)
	among == set()
}
