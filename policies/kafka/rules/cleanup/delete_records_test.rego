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

test_delete_records_where_the_rule_is_off if {
	prepared := object.remove(_records("DeleteRecords", {"cleanup.policy": ["compact"]}), ["params"])
	deny := family.deny with input as object.union(prepared, {"params": {}})
	deny == set()
}
