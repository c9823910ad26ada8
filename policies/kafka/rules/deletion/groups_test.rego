package kafka.rules.deletion_test

import data.kafka.rules.deletion as family

_lost(what, pattern) := _kept(what, "deleted", pattern)

_kept(what, done, pattern) := {
	"rule": "KFK-DEL-006",
	"severity": "critical",
	"message": $"{what} may not be {done}, \"{pattern}\" protects it",
	"fix": "leave the group to those who run what reads by it, or give it a waiver",
	"path": ["group"],
	"patch": [],
}

_group_denials(operation, group) := deny if {
	deny := family.deny with input as {
		"operation": operation,
		"params": {"KFK-DEL-006": {"patterns": ["audit.*", "audit.archive", "connect-?"]}},
		"request": {"group": group, "offsets": [], "topicPartitions": []},
	}
}

test_groups[note] if {
	some note, tc in {
		"of no pattern": {"group": "payments", "pattern": null},
		"one that a pattern begins": {"group": "audit", "pattern": null},
		"with a pattern inside": {"group": "my.audit.x", "pattern": null},
		"of another case": {"group": "Audit.x", "pattern": null},
		"without a name": {"group": "", "pattern": null},
		"of one pattern": {"group": "audit.x.y", "pattern": "audit.*"},
		"of two patterns": {"group": "audit.archive", "pattern": "audit.*"},
		"one character": {"group": "connect-1", "pattern": "connect-?"},
		"two characters": {"group": "connect-10", "pattern": null},
	}
	whole := {_lost($"group \"{tc.group}\"", tc.pattern) | tc.pattern != null}
	whole == _group_denials("DeleteGroup", tc.group)
	offsets := {_lost($"offsets of group \"{tc.group}\"", tc.pattern) | tc.pattern != null}
	offsets == _group_denials("DeleteGroupOffsets", tc.group)
	altered := {_kept($"offsets of group \"{tc.group}\"", "altered", tc.pattern) | tc.pattern != null}
	altered == _group_denials("AlterGroupOffsets", tc.group)
}

test_groups_that_nothing_protects if {
	deny := family.deny with input as {
		"operation": "DeleteGroup",
		"params": {"KFK-DEL-006": {"patterns": []}},
		"request": {"group": "audit.x"},
	}
	deny == set()
}
