package kafka.base.effects_test

import data.kafka.base.effects
import data.kafka.fixtures_test as fixtures

# One broken rule: a single copy.
_bad := {"request": {"topic": "shop.baskets", "replicationFactor": 1}}

_line := "KFK-DUR-001: replication factor 1 is below the minimum of 3"

_outcome(decision) := {
	"errors": decision.errors,
	"warnings": decision.warnings,
	"effects": [violation.effect | some violation in decision.violations],
}

_denies := {"errors": [_line], "warnings": [], "effects": ["deny"]}

_warns := {"errors": [], "warnings": [_line], "effects": ["warn"]}

_records := {"errors": [], "warnings": [], "effects": ["dryrun"]}

_silent := {"errors": [], "warnings": [], "effects": []}

_rule(fields) := {"KFK-DUR-001": fields}

test_mode[note] if {
	some note, tc in {
		"deny": {"over": {"rules": _rule({"mode": "deny"})}, "outcome": _denies},
		"warn": {"over": {"rules": _rule({"mode": "warn"})}, "outcome": _warns},
		"dryrun": {"over": {"rules": _rule({"mode": "dryrun"})}, "outcome": _records},
		"disabled": {"over": {"rules": _rule({"mode": "disabled"})}, "outcome": _silent},
		"before it is enforced": {"over": {"rules": _rule({"enforceFrom": "2026-11-22"})}, "outcome": _warns},
		"from midnight of the day on": {"over": {"rules": _rule({"enforceFrom": "2026-11-21"})}, "outcome": _denies},
		"long since enforced": {"over": {"rules": _rule({"enforceFrom": "2020-01-01"})}, "outcome": _denies},
		"a date does not soften a warning": {
			"over": {"rules": _rule({"mode": "dryrun", "enforceFrom": "2027-01-01"})},
			"outcome": _records,
		},
		"a date that cannot be read": {"over": {"rules": _rule({"enforceFrom": "2026-13-40"})}, "outcome": _denies},
		"cluster": {
			"over": {"clusters": [{"match": {"name": "prod-*"}, "rules": _rule({"mode": "warn"})}]},
			"outcome": _warns,
		},
		"another cluster": {
			"over": {"clusters": [{"match": {"name": "dev-*"}, "rules": _rule({"mode": "warn"})}]},
			"outcome": _denies,
		},
		"the last of the clusters' rows": {
			"over": {"clusters": [
				{"match": {"name": "prod-eu"}, "rules": _rule({"mode": "warn"})},
				{"match": {"name": "prod-*"}, "rules": _rule({"mode": "dryrun"})},
			]},
			"outcome": _records,
		},
		"an enforcement point": {"over": {"enforcementPoints": {"ci": _rule({"mode": "warn"})}}, "outcome": _warns},
		"another enforcement point": {
			"over": {"enforcementPoints": {"gateway": _rule({"mode": "warn"})}},
			"outcome": _denies,
		},
		"the enforcement point over the cluster": {
			"over": {
				"clusters": [{"match": {"name": "*"}, "rules": _rule({"mode": "disabled"})}],
				"enforcementPoints": {"ci": _rule({"mode": "warn"})},
			},
			"outcome": _warns,
		},
		"disabled for a cluster": {
			"over": {"clusters": [{"match": {"name": "prod-eu"}, "rules": _rule({"mode": "disabled"})}]},
			"outcome": _silent,
		},
		"enabled for an enforcement point only": {
			"over": {"rules": _rule({"mode": "disabled"}), "enforcementPoints": {"ci": _rule({"mode": "deny"})}},
			"outcome": _denies,
		},
		"a parameter for a cluster": {
			"over": {"clusters": [{"match": {"name": "prod-eu"}, "rules": _rule({"params": {"min": 1}})}]},
			"outcome": _silent,
		},
	}
	document := fixtures.document(object.union(_bad, {"enforcementPoint": "ci"}))
	tc.outcome == _outcome(fixtures.decide(document, tc.over))
}

test_the_hour_before_it_is_enforced[now] if {
	some now, outcome in {
		"2026-11-20T23:59:59Z": _warns,
		"2026-11-21T00:00:00Z": _denies,
		"2026-11-21T00:30:00+01:00": _warns,
	}
	over := {"rules": _rule({"enforceFrom": "2026-11-21"})}
	outcome == _outcome(fixtures.decide(fixtures.document(object.union(_bad, {"now": now})), over))
}

_waiver(fields) := object.union(
	{
		"id": "W-1",
		"rule": "KFK-DUR-001",
		"owner": "risk",
		"reason": "legal hold",
		"ticket": "GRC-1",
		"expires": "2026-11-21",
	},
	fields,
)

_shown(fields) := object.remove(_waiver(fields), ["rule", "cluster", "topic"])

_holding(fields) := object.union(_shown(fields), {"expired": false})

_waived(fields) := {"errors": [], "effects": ["waived"], "waivers": [_holding(fields)]}

_not_waived := {"errors": [_line], "effects": ["deny"], "waivers": [null]}

_expired(fields) := {
	"errors": [sprintf("%s (waiver %s expired on %s)", [_line, _shown(fields).id, _shown(fields).expires])],
	"effects": ["deny"],
	"waivers": [object.union(_shown(fields), {"expired": true})],
}

test_waiver[note] if {
	some note, tc in {
		"none": {"waivers": [], "result": _not_waived},
		"of this rule": {"waivers": [_waiver({})], "result": _waived({})},
		"of another rule": {"waivers": [_waiver({"rule": "KFK-SIZ-001"})], "result": _not_waived},
		"of this cluster": {"waivers": [_waiver({"cluster": "prod-eu"})], "result": _waived({})},
		"of clusters like this": {"waivers": [_waiver({"cluster": "prod-*"})], "result": _waived({})},
		"of another cluster": {"waivers": [_waiver({"cluster": "prod-us"})], "result": _not_waived},
		"of a cluster whose name begins so": {"waivers": [_waiver({"cluster": "prod"})], "result": _not_waived},
		"of this topic": {"waivers": [_waiver({"topic": "shop.baskets"})], "result": _waived({})},
		"of topics like this": {"waivers": [_waiver({"topic": "shop.*"})], "result": _waived({})},
		"of another topic": {"waivers": [_waiver({"topic": "shop.basket"})], "result": _not_waived},
		"of another topic, this cluster": {
			"waivers": [_waiver({"cluster": "prod-eu", "topic": "audit.*"})],
			"result": _not_waived,
		},
		"of an object, which is not a topic": {"waivers": [_waiver({"object": "shop.baskets"})], "result": _not_waived},
		"expired": {"waivers": [_waiver({"expires": "2026-11-20"})], "result": _expired({"expires": "2026-11-20"})},
		"of two the one that lasts longer": {
			"waivers": [_waiver({}), _waiver({"id": "W-2", "expires": "2027-01-01"}), _waiver({"id": "W-3"})],
			"result": _waived({"id": "W-2", "expires": "2027-01-01"}),
		},
		"of two that end on one day": {
			"waivers": [_waiver({"id": "W-2"}), _waiver({})],
			"result": _waived({"id": "W-2"}),
		},
		"one expired, one not": {
			"waivers": [_waiver({"id": "W-2", "expires": "2026-11-20"}), _waiver({})],
			"result": _waived({}),
		},
		"without a ticket": {
			"waivers": [object.remove(_waiver({}), ["ticket"])],
			"result": {"errors": [], "effects": ["waived"], "waivers": [object.remove(_holding({}), ["ticket"])]},
		},
		"with an end that cannot be read": {
			"waivers": [_waiver({"expires": "2026-11-99"})],
			"result": _expired({"expires": "2026-11-99"}),
		},
	}
	decision := fixtures.decide(fixtures.document(_bad), {"waivers": tc.waivers})
	tc.result == {
		"errors": decision.errors,
		"effects": [violation.effect | some violation in decision.violations],
		"waivers": [violation.waiver | some violation in decision.violations],
	}
}

test_a_waiver_holds_to_the_end_of_its_last_day[now] if {
	some now, waived in {
		"2026-11-21T00:00:00Z": true,
		"2026-11-21T23:59:59.999999999Z": true,
		"2026-11-22T00:00:00Z": false,
		"2026-11-22T00:30:00+01:00": true,
	}
	decision := fixtures.decide(fixtures.document(object.union(_bad, {"now": now})), {"waivers": [_waiver({})]})
	waived == decision.allowed
}

# A wildcard goes over dots: the naming convention is made of them.
test_a_waiver_for_a_name_with_dots[topic] if {
	some topic, waived in {"audit.a": true, "audit.a.b.c": true, "audit": false, "my.audit.a": false}
	document := fixtures.document({"request": {"topic": topic, "replicationFactor": 1}})
	decision := fixtures.decide(document, {"waivers": [_waiver({"topic": "audit.*"})]})
	[shown] := [violation.waiver | some violation in decision.violations; violation.rule == "KFK-DUR-001"]
	waived == is_object(shown)
}

# A waiver that holds waives whatever the mode is; one that has ended leaves the mode as it is.
test_the_effect_of_a_waiver_by_mode[mode] if {
	some mode in ["deny", "warn", "dryrun"]
	[["2026-11-21", "waived"], ["2026-11-20", mode]] == [[expires, violation.effect] |
		some expires in ["2026-11-21", "2026-11-20"]
		over := {"rules": _rule({"mode": mode}), "waivers": [_waiver({"expires": expires})]}
		some violation in fixtures.decide(fixtures.document(_bad), over).violations
	]
}

test_a_waived_warning_is_not_given if {
	over := {"rules": _rule({"mode": "warn"}), "waivers": [_waiver({})]}
	decision := fixtures.decide(fixtures.document(_bad), over)
	[decision.warnings, [violation.waiver.id | some violation in decision.violations]] == [[], ["W-1"]]
}

# A waiver is for one rule: what else is wrong stays wrong.
test_a_waiver_hides_no_other_rule if {
	document := fixtures.document({"request": {"replicationFactor": 1, "numPartitions": 101}})
	fixtures.decide(document, {"waivers": [_waiver({})]}).errors == [
		"KFK-SIZ-001: 101 partitions are above the maximum of 100",
	]
}

# What a violation says of itself softens a denial, and hardens nothing.
test_a_violation_that_only_warns[mode] if {
	some mode, softened in {"deny": "warn", "warn": "warn", "dryrun": "dryrun", "disabled": "disabled"}
	[softened, mode, mode] == [
		effects._capped_mode({"effect": "warn"}, mode),
		effects._capped_mode({"effect": "dryrun"}, mode),
		effects._capped_mode({}, mode),
	]
}
