package kafka.rules.durability_test

import data.kafka.rules.durability as family

_elected(operation, values, labels) := {
	"operation": operation,
	"params": {"KFK-DUR-005": {"labelKey": "dataClass", "allowClasses": ["metrics"]}},
	"labels": labels,
	"effective": {"values": values},
}

_unclean := {"unclean.leader.election.enable": true}

_unclean_violation(actual) := {
	"rule": "KFK-DUR-005",
	"severity": "critical",
	"message": sprintf("unclean.leader.election.enable is %s, so that acknowledged records may be discarded", [actual]),
	"fix": "set unclean.leader.election.enable to false",
	"path": ["configs", "unclean.leader.election.enable"],
	"patch": [{"op": "add", "path": "/configs/unclean.leader.election.enable", "value": "false"}],
}

test_unclean_election[note] if {
	some note, tc in {
		"clean": {"values": {"unclean.leader.election.enable": false}, "labels": {}, "deny": set()},
		"unclean": {"values": _unclean, "labels": {}, "deny": {_unclean_violation("true")}},
		"not known": {"values": {}, "labels": {}, "deny": {_unclean_violation("not known")}},
		"null": {"values": {"unclean.leader.election.enable": null}, "labels": {}, "deny": {_unclean_violation("null")}},
		"a class that may": {"values": _unclean, "labels": {"dataClass": "metrics"}, "deny": set()},
		"a class that may not": {"values": _unclean, "labels": {"dataClass": "metric"}, "deny": {_unclean_violation("true")}},
		"a label of another name": {"values": _unclean, "labels": {"class": "metrics"}, "deny": {_unclean_violation("true")}},
		"a class that may, with blanks": {"values": _unclean, "labels": {"dataClass": " metrics "}, "deny": set()},
		"a null class": {"values": _unclean, "labels": {"dataClass": null}, "deny": {_unclean_violation("true")}},
	}
	deny := family.deny with input as _elected("CreateTopic", tc.values, tc.labels)
	tc.deny == deny
}
