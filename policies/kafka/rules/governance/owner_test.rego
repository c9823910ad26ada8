package kafka.rules.governance_test

import data.kafka.rules.governance as family

_owners := {"labelKey": "owner", "ownerPattern": "^[a-z-]+$", "teams": {}}

_labelled(operation, id, params, labels) := {
	"operation": operation,
	"cluster": "c",
	"params": {id: params},
	"topic": "shop.orders",
	"labels": labels,
	"requested": {"internal": false},
	"clusterState": {"meta": {}},
}

_owner_violation(problem) := {
	"rule": "KFK-GOV-001",
	"severity": "medium",
	"message": problem,
	"fix": "set the label owner to the team that answers for the topic",
	"path": ["labels", "owner"],
	"patch": [],
}

test_owner[note] if {
	some note, tc in {
		"any team": {"labels": {"owner": "shop"}, "teams": {}, "problems": set()},
		"known team": {"labels": {"owner": "shop"}, "teams": {"shop": {}}, "problems": set()},
		"unknown team": {
			"labels": {"owner": "shops"},
			"teams": {"shop": {}},
			"problems": {"owner \"shops\" is no known team"},
		},
		"off the pattern": {
			"labels": {"owner": "Shop"},
			"teams": {"Shop": {}},
			"problems": {"owner \"Shop\" does not match ^[a-z-]+$"},
		},
		"missing": {"labels": {}, "teams": {}, "problems": {"the topic has no label owner"}},
		"another label": {"labels": {"Owner": "shop"}, "teams": {}, "problems": {"the topic has no label owner"}},
		"blank": {"labels": {"owner": " "}, "teams": {}, "problems": {"the topic has no label owner"}},
		"null": {"labels": {"owner": null}, "teams": {}, "problems": {"the topic has no label owner"}},
	}
	params := object.union(_owners, {"teams": tc.teams})
	deny := family.deny with input as _labelled("CreateTopic", "KFK-GOV-001", params, tc.labels)
	deny == {_owner_violation(problem) | some problem in tc.problems}
}

# An audit checks labels unless they are known not to be known; a creation brings them.
test_owner_where_labels_are_not_known[note] if {
	some note, tc in {
		"audit": {"operation": "AuditTopic", "meta": {}, "n": 1},
		"audit of a source with labels": {"operation": "AuditTopic", "meta": {"labels": true}, "n": 1},
		"audit of a source without": {"operation": "AuditTopic", "meta": {"labels": false}, "n": 0},
		"creation, source without": {"operation": "CreateTopic", "meta": {"labels": false}, "n": 1},
	}
	prepared := object.union(
		_labelled(tc.operation, "KFK-GOV-001", _owners, {}),
		{"clusterState": {"meta": tc.meta}},
	)
	deny := family.deny with input as prepared
	paths := {0: [], 1: [["labels", "owner"]]}
	paths[tc.n] == [violation.path | some violation in deny]

	# The same of a replicated state.
	replicated := family.deny with input as object.remove(prepared, ["clusterState"])
		with data.clusters as {"c": {"meta": tc.meta}}
	tc.n == count(replicated)
}

# The state that a document carries stands in for what is replicated, also where it says nothing of labels.
test_owner_where_only_the_replicated_state_lacks_labels if {
	deny := family.deny with input as _labelled("AuditTopic", "KFK-GOV-001", _owners, {})
		with data.clusters as {"c": {"meta": {"labels": false}}}
	{found.rule | some found in deny} == {"KFK-GOV-001"}
}

test_owner_of_internal_topics[operation] if {
	some operation in ["CreateTopic", "AuditTopic"]
	prepared := object.union(_labelled(operation, "KFK-GOV-001", _owners, {}), {"requested": {"internal": true}})
	deny := family.deny with input as prepared
	deny == set()
}
