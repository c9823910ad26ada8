package kafka.rules.sizing_test

import data.kafka.fixtures_test as fixtures
import data.kafka.rules.sizing as family

_team_params := {
	"maxTopics": 3,
	"maxPartitions": 10,
	"labelKey": "owner",
	"byTeam": {"rich": {"maxTopics": 4}, "closed": {"maxTopics": 0, "maxPartitions": 0}},
}

_team_input(before, after, fields) := object.union_n([
	_growing("KFK-SIZ-003", _team_params, before, after, {}),
	{"operation": "CreateTopic"},
	fields,
])

_team_violation(problem, field) := _team_violation_with(
	problem,
	"delete topics that nobody uses, use fewer partitions, or ask for a higher quota",
	field,
)

_team_violation_with(problem, fix, field) := {
	"rule": "KFK-SIZ-003",
	"severity": "high",
	"message": problem,
	"fix": fix,
	"path": [field],
	"patch": [],
}

_too_many_topics(who, n, limit) := _team_violation(
	sprintf("%s would have %d topics, above the maximum of %d", [who, n, limit]),
	"topic",
)

_too_many_partitions(who, n, limit) := _team_violation(
	sprintf("%s would have %d partitions, above the maximum of %d", [who, n, limit]),
	"numPartitions",
)

_held(team, topics, partitions) := {"totals": {
	"byOwner": {team: {"topics": topics, "partitions": partitions}},
	"byPrincipal": {"User:alice": {"topics": 3, "partitions": 10}},
}}

test_team_total[note] if {
	some note, tc in {
		"exactly full": {"team": "shop", "held": _held("shop", 2, 8), "partitions": 2, "deny": set()},
		"one topic too many": {
			"team": "shop",
			"held": _held("shop", 3, 8),
			"partitions": 2,
			"deny": {_too_many_topics("team shop", 4, 3)},
		},
		"one partition too many": {
			"team": "shop",
			"held": _held("shop", 2, 8),
			"partitions": 3,
			"deny": {_too_many_partitions("team shop", 11, 10)},
		},
		"both": {
			"team": "shop",
			"held": _held("shop", 3, 8),
			"partitions": 3,
			"deny": {_too_many_topics("team shop", 4, 3), _too_many_partitions("team shop", 11, 10)},
		},
		"a team that has nothing yet": {"team": "new", "held": _held("shop", 3, 10), "partitions": 10, "deny": set()},
		"a quota of its own": {"team": "rich", "held": _held("rich", 3, 8), "partitions": 2, "deny": set()},
		"a quota of its own, used up": {
			"team": "rich",
			"held": _held("rich", 4, 8),
			"partitions": 2,
			"deny": {_too_many_topics("team rich", 5, 4)},
		},
		"a quota of nothing": {
			"team": "closed",
			"held": _held("shop", 0, 0),
			"partitions": 1,
			"deny": {_too_many_topics("team closed", 1, 0), _too_many_partitions("team closed", 1, 0)},
		},
	}
	fields := {"labels": {"owner": tc.team}, "clusterState": tc.held, "principal": {"type": "User", "name": "alice"}}
	deny := family.deny with input as _team_input(null, _sized(tc.partitions, 3), fields)
	tc.deny == deny
}

# Blanks around its name make no other team.
test_team_total_whatever_blanks[team] if {
	some team in ["shop", "shop ", "\tshop"]
	document := _team_input(null, _sized(1, 3), {"labels": {"owner": team}, "clusterState": _held("shop", 3, 0)})
	deny := family.deny with input as document
	charges := family.charge with input as document
	deny == {_too_many_topics("team shop", 4, 3)}
	{name | some [["totals", "byOwner", name, _], _] in charges} == {"shop"}
}

# Without an owner the principal answers.
test_team_total_of_a_principal[note] if {
	some note, labels in {"no label": {}, "blank label": {"owner": " "}}
	fields := {"labels": labels, "clusterState": _held("shop", 0, 0), "principal": {"type": "User", "name": "alice"}}
	deny := family.deny with input as _team_input(null, _sized(1, 3), fields)
	deny == {_too_many_topics("User:alice", 4, 3), _too_many_partitions("User:alice", 11, 10)}
}

test_team_total_of_an_alteration[note] if {
	some note, tc in {
		"grown to the quota": {"before": 2, "after": 4, "held": 8, "deny": set()},
		"grown beyond": {"before": 2, "after": 5, "held": 8, "deny": {_too_many_partitions("team shop", 11, 10)}},
		"not grown": {"before": 2, "after": 2, "held": 100, "deny": set()},
	}
	fields := {"operation": "AlterTopic", "labels": {"owner": "shop"}, "clusterState": _held("shop", 9, tc.held)}
	deny := family.deny with input as _team_input(_sized(tc.before, 3), _sized(tc.after, 3), fields)
	tc.deny == deny
}

# Another team's topic counts whole, as a new one does: none passes its quota by topics of others that it takes over.
test_team_total_of_another_owner[note] if {
	one_more := {_too_many_topics("team shop", 4, 3)}
	some note, tc in {
		"the same": {"before": {"owner": "shop"}, "topics": 3, "deny": set(), "charged": {0}},
		"the same with blanks": {"before": {"owner": " shop"}, "topics": 3, "deny": set(), "charged": {0}},
		"another, exactly full": {"before": {"owner": "other"}, "topics": 2, "deny": set(), "charged": {1, 2}},
		"another": {"before": {"owner": "other"}, "topics": 3, "deny": one_more, "charged": {1, 2}},
		"none": {"before": {}, "topics": 3, "deny": one_more, "charged": {1, 2}},
	}
	fields := {"operation": "AlterTopic", "labels": {"owner": "shop"}, "clusterState": _held("shop", tc.topics, 8)}
	document := _team_input(object.union(_sized(2, 3), {"labels": tc.before}), _sized(2, 3), fields)
	deny := family.deny with input as document
	charges := family.charge with input as document
	deny == tc.deny
	tc.charged == {more | some [["totals", "byOwner", _, _], more] in charges}
}

# What is under way for the team counts as if it were there.
test_team_total_with_what_is_under_way if {
	pending := {"/totals/byOwner/shop/topics": 2, "/totals/byOwner/shop/partitions": 3, "/totals/byOwner/other/topics": 9}
	fields := {"labels": {"owner": "shop"}, "clusterState": _held("shop", 1, 6), "pending": pending}
	deny := family.deny with input as _team_input(null, _sized(2, 3), fields)
	deny == {_too_many_topics("team shop", 4, 3), _too_many_partitions("team shop", 11, 10)}
}

test_team_total_is_not_known[note] if {
	some note, tc in {
		"no totals": {
			"fields": {"labels": {"owner": "shop"}},
			"who": "team shop",
			"fix": fixtures.state_fix("totals.byOwner"),
		},
		"no totals by owner": {
			"fields": {"labels": {"owner": "shop"}, "clusterState": {"totals": {"byPrincipal": {}}}},
			"who": "team shop",
			"fix": fixtures.state_fix("totals.byOwner"),
		},
		"null": {
			"fields": {"labels": {"owner": "shop"}, "clusterState": _held("shop", null, null)},
			"who": "team shop",
			"fix": fixtures.state_fix("totals.byOwner"),
		},
		"no totals by principal": {
			"fields": {"principal": {"type": "User", "name": "bob"}, "clusterState": {"totals": {"byOwner": {}}}},
			"who": "User:bob",
			"fix": fixtures.state_fix("totals.byPrincipal"),
		},
		"a name with a colon": {
			"fields": {"principal": {"type": "User", "name": "CN=a:b"}, "clusterState": {"totals": {"byOwner": {}}}},
			"who": "User:CN=a:b",
			"fix": fixtures.state_fix("totals.byPrincipal"),
		},
	}
	deny := family.deny with input as _team_input(null, _sized(1, 3), tc.fields)
	deny == {
		_team_violation_with(sprintf("it is not known how many topics %s has", [tc.who]), tc.fix, "topic"),
		_team_violation_with(sprintf("it is not known how many partitions %s has", [tc.who]), tc.fix, "numPartitions"),
	}
}

test_team_that_is_not_counted[action] if {
	some action, effects in {"deny": {"none"}, "warn": {"warn"}}
	fields := {"principal": {"type": "User", "name": "bob"}, "clusterState": {"totals": {"byOwner": {}}}}
	document := _team_input(null, _sized(1, 3), fields)
	params := object.union(document.params, {"KFK-SIZ-003": {"whenUnknown": action}})
	deny := family.deny with input as object.union(document, {"params": params})
	effects == {object.get(violation, "effect", "none") | some violation in deny}
}

test_charge_of_a_team[operation] if {
	gained := {"topics": 1, "partitions": 2}
	some operation, charged in {"CreateTopic": gained, "AlterTopic": gained, "AuditTopic": {}}
	charged == {kind: more |
		some [["totals", "byOwner", "shop", kind], more] in _charges(operation)
		kind != "retainedBytes"
	}
}

# Nothing is counted for a team by another label than the rule's; what the principal made is counted by none of them.
test_team_total_counted_by_another_label[note] if {
	some note, tc in {
		"another": {"fields": {"labels": {"owner": "shop"}}, "key": "team", "deny": _uncounted("team shop")},
		"the same": {"fields": {"labels": {"owner": "shop"}}, "key": "owner", "deny": set()},
		"a principal's": {"fields": {"principal": {"type": "User", "name": "bob"}}, "key": "team", "deny": set()},
	}
	held := object.union(_held("shop", 0, 0), {"totals": {"labelKeys": {"byOwner": tc.key}}})
	deny := family.deny with input as _team_input(null, _sized(1, 3), object.union(tc.fields, {"clusterState": held}))
	messages := {{"message": violation.message, "fix": violation.fix} | some violation in deny}
	tc.deny == messages
}

_uncounted(who) := {uncounted |
	some kind in ["topics", "partitions"]
	uncounted := {
		"message": sprintf(
			"it is not known how many %s %s has, as the state does not count by the label owner",
			[kind, who],
		),
		"fix": "let owners.owner of the replicator and labelKey of this rule name the same label",
	}
}
