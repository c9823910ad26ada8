package kafka.lists_test

import data.kafka.lists

# Before KIP-1161 Kafka looked at the values of a list, and at nothing else: the first that is not valid is named.
test_faults_of_an_old_list[note] if {
	row := {"kind": "old in", "validStrings": ["compact", "delete"], "isNullAllowed": false}
	some note, tc in {
		"valid": {"value": "compact,delete", "wrong": []},
		"the first": {"value": "none,delete", "wrong": ["none"]},
		"the last": {"value": "delete,none", "wrong": ["none"]},
		"two": {"value": "many,none", "wrong": ["many"]},
	}
	lists.faults(row, "cleanup.policy", tc.value) == {{"kind": "member", "message": message} |
		some value in tc.wrong
		message := concat("", [
			$"Invalid value {value} for configuration cleanup.policy: ",
			"String must be one of: compact, delete",
		])
	}
}
