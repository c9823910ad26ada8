package kafka.rules.tiering_test

import data.kafka.rules.tiering as family

_tiered(operation, before, values) := {
	"operation": operation,
	"params": {"KFK-TIE-002": {}},
	"current": before,
	"effective": {"values": object.union(
		{"remote.storage.enable": false, "remote.log.delete.on.disable": false, "cleanup.policy": ["delete"]},
		values,
	)},
}

_remote_violation(problem, fix) := {
	"rule": "KFK-TIE-002",
	"severity": "high",
	"message": problem,
	"fix": fix,
	"path": ["configs", "remote.storage.enable"],
	"patch": [],
}

_compacted := _remote_violation(
	"remote.storage.enable is true on a compacted topic",
	concat(" ", [
		"set cleanup.policy to delete, or remote.storage.enable to false; where it is on already, that needs",
		"remote.log.delete.on.disable true, which deletes what the remote store has",
	]),
)

_turned_off := _remote_violation(
	"remote.storage.enable is turned off, and nothing says that remote records may be deleted",
	concat(" ", [
		"set remote.log.delete.on.disable to true to delete them; to keep them, leave remote.storage.enable,",
		"set remote.log.copy.disable to true, and local.retention.ms and local.retention.bytes to -2",
	]),
)

_tiered_state := {"values": {"remote.storage.enable": true}}

_untiered_state := {"values": {"remote.storage.enable": false}}

test_remote[note] if {
	some note, tc in {
		"created without": {"before": null, "values": {}, "deny": set()},
		"created with": {"before": null, "values": {"remote.storage.enable": true}, "deny": set()},
		"created compacted": {
			"before": null,
			"values": {"remote.storage.enable": true, "cleanup.policy": ["compact"]},
			"deny": {_compacted},
		},
		"compacted and deleted": {
			"before": null,
			"values": {"remote.storage.enable": true, "cleanup.policy": ["delete", "compact"]},
			"deny": {_compacted},
		},
		"never deleted": {
			"before": null,
			"values": {"remote.storage.enable": true, "cleanup.policy": []},
			"deny": set(),
		},
		"compacted, not tiered": {"before": _untiered_state, "values": {"cleanup.policy": ["compact"]}, "deny": set()},
		"left on": {"before": _tiered_state, "values": {"remote.storage.enable": true}, "deny": set()},
		"left off": {"before": _untiered_state, "values": {}, "deny": set()},
		"never set": {"before": {"values": {}}, "values": {}, "deny": set()},
		"turned off": {"before": _tiered_state, "values": {}, "deny": {_turned_off}},
		"turned off on purpose": {"before": _tiered_state, "values": {"remote.log.delete.on.disable": true}, "deny": set()},
	}
	deny := family.deny with input as _tiered("AlterTopic", tc.before, tc.values)
	tc.deny == deny
}

# What is not known is not said.
test_remote_without_values if {
	prepared := object.union(
		object.remove(_tiered("AlterTopic", _tiered_state, {}), ["effective"]),
		{"effective": {"values": {}}},
	)
	deny := family.deny with input as prepared
	deny == {_turned_off}
}

test_remote_disabled if {
	prepared := object.remove(_tiered("AlterTopic", _tiered_state, {}), ["params"])
	deny := family.deny with input as object.union(prepared, {"params": {}})
	deny == set()
}
