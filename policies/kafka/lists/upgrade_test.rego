package kafka.lists_test

import data.kafka.lists
import data.kafka.lists.scope

_ask(fields) := answer if {
	document := object.union({"from": "3.9", "to": "4.2", "items": {}}, fields)
	answer := lists.upgrade with input as document
}

_forever := concat(" ", [
	"an empty list keeps everything: nothing is deleted by retention.ms or retention.bytes, and nothing is compacted;",
	"with remote.storage.enable only local segments go, by local.retention.ms and local.retention.bytes",
])

test_upgrade_findings[note] if {
	some note, tc in {
		"nothing": {"component": "topic", "configs": {}, "found": []},
		"no difference": {"component": "topic", "configs": {"cleanup.policy": "delete"}, "found": []},
		"empty": {
			"component": "topic",
			"configs": {"cleanup.policy": ""},
			"found": [{"name": "cleanup.policy", "outcome": "reinterpreted", "message": _forever}],
		},
		"doubled": {
			"component": "topic",
			"configs": {"cleanup.policy": "delete,delete"},
			"found": [{
				"name": "cleanup.policy",
				"outcome": "reinterpreted",
				"message": _dropped("cleanup.policy", "delete, delete", "delete"),
			}],
		},
		"refused": {
			"component": "broker",
			"configs": {"listeners": ""},
			"found": [{
				"name": "listeners",
				"outcome": "refused",
				"message": "Configuration 'listeners' must not be empty. Valid values include: any non-empty value",
			}],
		},
		"doubled and refused": {
			"component": "broker",
			"configs": {"listeners": ","},
			"found": [{
				"name": "listeners",
				"outcome": "refused",
				"message": "Configuration 'listeners' values must not be empty.",
			}],
		},
		"empty, and no more than that": {"component": "consumer", "configs": {"interceptor.classes": ""}, "found": []},
		"another validator": {"component": "broker", "configs": {"controller.quorum.voters": ","}, "found": []},
	}
	answer := _ask({"items": {"k": {"component": tc.component, "configs": tc.configs}}})
	answer == {"errors": [], "findings": {"k": tc.found}}
}

# From which release to which: what both read the same way is no finding, what the
# target refuses is one wherever it comes from.
test_upgrade_releases[note] if {
	some note, tc in {
		"across": {"from": "4.1.2", "to": "4.2.0", "outcomes": ["refused", "reinterpreted"]},
		"before": {"from": "3.9", "to": "4.1", "outcomes": []},
		"after": {"from": "4.2", "to": "4.3", "outcomes": ["refused"]},
		"none": {"from": "4.2", "to": "4.2.0", "outcomes": ["refused"]},
		"far": {"from": "0.10.2", "to": "4.3.17", "outcomes": ["refused", "reinterpreted"]},
	}
	item := {"component": "broker", "configs": {"listeners": "", "log.cleanup.policy": ""}}
	answer := _ask({"from": tc.from, "to": tc.to, "items": {"k": item}})
	tc.outcomes == sort([finding.outcome | some finding in answer.findings.k])
}

test_upgrade_malformed[note] if {
	some note, tc in {
		"releases": {
			"fields": {"from": "3", "to": null},
			"errors": [
				"from: \"3\" is not a release such as 4.2 or 4.2.0",
				"to: null is not a release such as 4.2 or 4.2.0",
			],
		},
		"releases that nobody knows": {
			"fields": {"from": "0.12.0", "to": "9.9"},
			"errors": [
				"from: Kafka 0.12.0 is not known: the newest is 4.4, the oldest 0.8.0",
				"to: Kafka 9.9 is not known: the newest is 4.4, the oldest 0.8.0",
			],
		},
		"backwards": {"fields": {"from": "4.2", "to": "3.9"}, "errors": ["to: 3.9 is older than from, 4.2"]},
		"items": {"fields": {"items": null}, "errors": ["items: not an object of key to {component, configs}"]},
		"an item": {"fields": {"items": {"k": 7}}, "errors": ["items.k: not an object {component, configs}"]},
		"a component": {
			"fields": {"items": {"k": {"component": "brokers", "configs": {}}}},
			"errors": [concat("", [
				"items.k: component: \"brokers\" is not known (did you mean broker?); known are ",
				concat(", ", sort(scope.components)),
			])],
		},
		"configs": {
			"fields": {"items": {"k": {"component": "broker", "configs": {"listeners": 7}}}},
			"errors": ["items.k: configs: not an object of name to string or null"],
		},
		"no configs": {
			"fields": {"items": {"k": {"component": "broker"}}},
			"errors": ["items.k: configs: not an object of name to string or null"],
		},
	}
	_ask(tc.fields) == {"errors": tc.errors, "findings": {}}
}

test_upgrade_of_nothing[note] if {
	some note, document in {"null": null, "a list": [], "text": "x"}
	answer := lists.upgrade with input as document
	answer == {"errors": ["the input is not an object: send {from, to, items}"], "findings": {}}
}

test_upgrade_without_input if {
	answer := lists.upgrade
	answer == {"errors": ["the input is missing: send {from, to, items}"], "findings": {}}
}
