package kafka.base.settings_test

import data.kafka.base.settings
import data.kafka.fixtures_test as fixtures

_compiled := fixtures.compiled({
	"rules": {
		"A": {"mode": "deny", "params": {"min": 1, "max": 9}},
		"B": {"mode": "disabled", "params": {"min": 5}},
	},
	"clusters": [
		{"match": {"name": "dev-*"}, "rules": {"A": {"mode": "warn", "params": {"min": 0}}}},
		{"match": {"name": "dev-eu*"}, "rules": {"A": {"params": {"min": -1}}, "B": {"mode": "deny"}}},
		{"match": {"name": "test-*"}, "rules": {"B": {"mode": "deny", "params": {"min": 7, "most": 8}}}},
		{"match": {"name": "test-eu"}, "rules": {"B": {"mode": "warn"}}},
	],
	"enforcementPoints": {
		"ci": {"A": {"mode": "dryrun"}},
		"scan": {"B": {"mode": "deny"}},
		"service": {"B": {"params": {"min": 6}}},
	},
	"waivers": [{"id": "W-1", "rule": "A"}, {"id": "W-2", "rule": "B"}, {"id": "W-3", "rule": "A"}],
})

test_params_and_modes[note] if {
	some note, tc in {
		"base": {
			"cluster": "prod", "enforcementPoint": "gateway",
			"params": {"A": {"min": 1, "max": 9}},
			"modes": {"A": {"mode": "deny"}, "B": {"mode": "disabled"}},
		},
		"one row": {
			"cluster": "dev-us", "enforcementPoint": "gateway",
			"params": {"A": {"min": 0, "max": 9}},
			"modes": {"A": {"mode": "warn"}, "B": {"mode": "disabled"}},
		},
		"the later row over the earlier": {
			"cluster": "dev-eu", "enforcementPoint": "gateway",
			"params": {"A": {"min": -1, "max": 9}, "B": {"min": 5}},
			"modes": {"A": {"mode": "warn"}, "B": {"mode": "deny"}},
		},
		"a row that only sets the mode of a disabled rule": {
			"cluster": "test-eu", "enforcementPoint": "gateway",
			"params": {"A": {"min": 1, "max": 9}, "B": {"min": 7, "most": 8}},
			"modes": {"A": {"mode": "deny"}, "B": {"mode": "warn"}},
		},
		"an enforcement point that only does so": {
			"cluster": "test-us", "enforcementPoint": "scan",
			"params": {"A": {"min": 1, "max": 9}, "B": {"min": 7, "most": 8}},
			"modes": {"A": {"mode": "deny"}, "B": {"mode": "deny"}},
		},
		"an enforcement point that sets a parameter": {
			"cluster": "test-us", "enforcementPoint": "service",
			"params": {"A": {"min": 1, "max": 9}, "B": {"min": 6, "most": 8}},
			"modes": {"A": {"mode": "deny"}, "B": {"mode": "deny"}},
		},
		"an enforcement point alone over a disabled rule": {
			"cluster": "prod", "enforcementPoint": "scan",
			"params": {"A": {"min": 1, "max": 9}, "B": {"min": 5}},
			"modes": {"A": {"mode": "deny"}, "B": {"mode": "deny"}},
		},
		"a star goes over dots": {
			"cluster": "dev-us.a.b", "enforcementPoint": "gateway",
			"params": {"A": {"min": 0, "max": 9}},
			"modes": {"A": {"mode": "warn"}, "B": {"mode": "disabled"}},
		},
		"a pattern matches the whole name": {
			"cluster": "my-dev-us", "enforcementPoint": "gateway",
			"params": {"A": {"min": 1, "max": 9}},
			"modes": {"A": {"mode": "deny"}, "B": {"mode": "disabled"}},
		},
		"the enforcement point over the rows": {
			"cluster": "dev-us", "enforcementPoint": "ci",
			"params": {"A": {"min": 0, "max": 9}},
			"modes": {"A": {"mode": "dryrun"}, "B": {"mode": "disabled"}},
		},
		"an enforcement point's name is not a pattern": {
			"cluster": "prod", "enforcementPoint": "c*",
			"params": {"A": {"min": 1, "max": 9}},
			"modes": {"A": {"mode": "deny"}, "B": {"mode": "disabled"}},
		},
	}
	params := settings.params(tc.cluster, tc.enforcementPoint) with data.settings.compiled as _compiled
	modes := settings.modes(tc.cluster, tc.enforcementPoint) with data.settings.compiled as _compiled
	{"params": tc.params, "modes": tc.modes} == {"params": params, "modes": modes}
}

_limits := fixtures.compiled({
	"rules": {},
	"freshness": {
		"default": {"maxAgeSeconds": 300, "then": "warn"},
		"operations": {"DeleteTopic": {"maxAgeSeconds": 60, "then": "deny"}, "AuditTopic": {"then": "ignore"}},
	},
	"clusters": [
		{
			"match": {"name": "dev-*"},
			"freshness": {"default": {"then": "ignore"}, "operations": {"DeleteTopic": {"then": "warn"}}},
		},
		{"match": {"name": "dev-eu*"}, "freshness": {"default": {"maxAgeSeconds": 9}}},
	],
	"enforcementPoints": {"ci": {"freshness": {"operations": {"CreateTopic": {"then": "request"}}}}},
	"waivers": [],
})

test_freshness[note] if {
	some note, tc in {
		"the default": {"lookup": ["prod", "gateway", "CreateTopic"], "limit": [300, "warn"]},
		"the operation's over it": {"lookup": ["prod", "gateway", "DeleteTopic"], "limit": [60, "deny"]},
		"the operation's, but for what it leaves out": {
			"lookup": ["prod", "gateway", "AuditTopic"],
			"limit": [300, "ignore"],
		},
		"a row's default": {"lookup": ["dev-us", "gateway", "CreateTopic"], "limit": [300, "ignore"]},
		"a row's operation": {"lookup": ["dev-us", "gateway", "DeleteTopic"], "limit": [60, "warn"]},
		"two rows": {"lookup": ["dev-eu", "gateway", "CreateTopic"], "limit": [9, "ignore"]},
		"an operation over a later row's default": {"lookup": ["dev-eu", "gateway", "DeleteTopic"], "limit": [60, "warn"]},
		"the enforcement point over the rows": {"lookup": ["dev-eu", "ci", "CreateTopic"], "limit": [9, "request"]},
		"a part of an audit": {"lookup": ["prod", "gateway", "AuditTopicName"], "limit": [300, "ignore"]},
	}
	[cluster, enforcement_point, operation] := tc.lookup
	limit := settings.freshness(cluster, enforcement_point, operation) with data.settings.compiled as _limits
	[limit.maxAgeSeconds, limit.then] == tc.limit
}

test_waivers_by_rule[rule] if {
	some rule, ids in {"A": ["W-1", "W-3"], "B": ["W-2"], "C": []}
	waivers := settings.waivers(rule) with data.settings.compiled as _compiled
	ids == [waiver.id | some waiver in waivers]
}
