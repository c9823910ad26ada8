package kafka.rules.cleanup_test

import data.kafka.rules.cleanup as family

_records(operation, values) := {
	"operation": operation,
	"params": {"KFK-CMP-006": {}},
	"deletedMessageOffsets": {"0": 5},
	"effective": {"values": values},
}

_kept_by_key(policy) := {
	"rule": "KFK-CMP-006",
	"severity": "high",
	"message": sprintf("records cannot be deleted by offset, since cleanup.policy \"%s\" does not have delete", [policy]),
	"fix": "write tombstones for the keys that have to go, or add delete to cleanup.policy",
	"path": ["deletedMessageOffsets"],
	"patch": [],
}

# An empty policy allows it, as brokers do.
test_delete_records[note] if {
	some note, tc in {
		"delete": {"values": {"cleanup.policy": ["delete"]}, "deny": set()},
		"both": {"values": {"cleanup.policy": ["compact", "delete"]}, "deny": set()},
		"neither": {"values": {"cleanup.policy": []}, "deny": set()},
		"compact": {"values": {"cleanup.policy": ["compact"]}, "deny": {_kept_by_key("compact")}},
		"compact twice": {"values": {"cleanup.policy": ["compact", "compact"]}, "deny": {_kept_by_key("compact,compact")}},
		"not known": {"values": {}, "deny": {_kept_by_key("compact")}},
	}
	deny := family.deny with input as _records("DeleteRecords", tc.values)
	tc.deny == deny
}

test_delete_records_operations[operation] if {
	some operation, n in {"DeleteRecords": 1, "DeleteTopic": 0, "AlterTopic": 0, "AuditTopic": 0, "CreateTopic": 0}
	deny := family.deny with input as _records(operation, {"cleanup.policy": ["compact"]})
	paths := {0: [], 1: [["deletedMessageOffsets"]]}
	paths[n] == [violation.path | some violation in deny]
}
